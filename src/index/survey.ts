/** What is on disk: every session file under the roots with its facts. One `lstat` per file; nothing is opened. */
import { lstatSync } from "node:fs";
import { messageOf } from "../session/json.ts";
import type { Pace } from "../session/pace.ts";
import { type VisitedDirectory, walkSessions } from "../session/walk.ts";
import { FactList, FactMemory } from "./facts.ts";

export interface SurveyedDirectory extends VisitedDirectory {
  readonly names: readonly string[];
  /** In the order of `names`. */
  readonly facts: FactList;
}

export interface Survey {
  readonly directories: readonly SurveyedDirectory[];
  /** False when a part could not be read: what is missing here may still exist. */
  readonly isComplete: boolean;
  readonly excludedProjects: readonly string[];
}

export async function surveyStore(
  roots: readonly string[],
  isProjectSkipped: (name: string) => boolean,
  pace: Pace,
): Promise<Survey> {
  const directories: SurveyedDirectory[] = [];
  const memory = new FactMemory();
  let at: VisitedDirectory | undefined;
  let names: string[] = [];
  let facts = new FactList(memory);
  const finish = () => {
    // Exactly as long as it is: many directories have a file or two.
    if (at !== undefined) directories.push({ ...at, names: names.slice(), facts });
    names = [];
    facts = new FactList(memory);
  };
  const walk = await walkSessions<never>({
    roots,
    includeOrphans: true,
    isProjectSkipped,
    pace,
    visit(filePath, warn, directory, name) {
      try {
        // It was a regular file a moment ago; should it be none now, opening it will tell.
        const stat = lstatSync(filePath);
        if (at !== directory) {
          finish();
          at = directory;
        }
        names.push(name);
        facts.push(stat.size, stat.mtimeMs, stat.ctimeMs, stat.ino);
      } catch (error) {
        const isGone = error instanceof Error && "code" in error && error.code === "ENOENT";
        if (!isGone) warn(filePath, messageOf(error));
      }
      return undefined;
    },
  });
  finish();
  return {
    directories,
    isComplete: walk.warnings.length === 0,
    excludedProjects: walk.skippedProjects,
  };
}
