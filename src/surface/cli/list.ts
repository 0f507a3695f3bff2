/** `pi-retrospect list`: the sessions as a table for people. */
import type { ListSessionsOutput, SessionMetadata } from "../../model.ts";
import { Pace } from "../../session/pace.ts";
import { localMinute, projectLabel } from "../labels.ts";
import { visible } from "../visible.ts";
import { styled, type Terminal, table } from "./terminal.ts";
import { titleOf } from "./title.ts";

export interface ListView {
  /** Print each session's path under its row. */
  readonly withPaths: boolean;
}

export async function printSessions(
  output: ListSessionsOutput,
  view: ListView,
  terminal: Terminal,
  signal?: AbortSignal,
): Promise<void> {
  const pace = new Pace(signal);
  const rows: string[][] = [];
  for (const session of output.sessions) {
    const count = countDescendants(session);
    rows.push([
      localMinute(Date.parse(session.timestamp)),
      visible(projectLabel(session.cwd)),
      count === 0 ? "" : String(count),
      visible((await titleOf(session.path, pace)).replace(/\s+/g, " ")) + marksOf(session),
    ]);
  }
  if (rows.length > 0) {
    const [heading = "", ...lines] = table(
      terminal,
      ["WHEN", "PROJECT", "SUBAGENTS", "NAME OR FIRST WORDS"],
      rows,
    );
    terminal.write(`${heading}\n`);
    lines.forEach((line, i) => {
      const session = output.sessions[i];
      terminal.write(`${line}\n`);
      if (view.withPaths && session !== undefined) printPaths(session, "  ", terminal);
    });
  }
}

function marksOf({ orphaned, parentSessionPath }: SessionMetadata): string {
  return `${parentSessionPath === undefined ? "" : " (fork)"}${orphaned ? " (orphan)" : ""}`;
}

function printPaths(session: SessionMetadata, indent: string, terminal: Terminal): void {
  terminal.write(styled(terminal, "dim", `${indent}${visible(session.path)}\n`));
  for (const child of session.subagentSessions) printPaths(child, `${indent}  `, terminal);
}

function countDescendants(session: SessionMetadata): number {
  return session.subagentSessions.reduce((sum, child) => sum + 1 + countDescendants(child), 0);
}
