/** Many small sessions in projects of equal size, as `list` and `recall-keys` need them. */
import { mkdirSync } from "node:fs";
import type { Random } from "../random.ts";
import { fileName, slugOf } from "./plan.ts";

const SESSIONS_PER_PROJECT = 50;

/** Where a session is to be written, and what its header says. */
export interface PlacedSession {
  readonly file: string;
  readonly startMs: number;
  readonly header: object;
}

export function writeProjects(
  root: string,
  sessions: number,
  random: Random,
  write: (session: PlacedSession) => void,
): void {
  for (let first = 0; first < sessions; first += SESSIONS_PER_PROJECT) {
    const cwd = `/home/ada/projects/project-${first / SESSIONS_PER_PROJECT}`;
    const directory = `${root}/${slugOf(cwd)}`;
    mkdirSync(directory);
    for (let i = first; i < Math.min(sessions, first + SESSIONS_PER_PROJECT); i++) {
      const startMs = Date.UTC(2025, 0, 6) + random.between(0, 500 * 86_400_000);
      const id = random.uuid();
      const timestamp = new Date(startMs).toISOString();
      const header = { type: "session", version: 3, id, timestamp, cwd };
      write({ file: `${directory}/${fileName(startMs, id)}`, startMs, header });
    }
  }
}
