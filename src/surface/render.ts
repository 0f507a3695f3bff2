/** Results as the text that accompanies `structuredContent`: an index of what was found, never a payload, never cut. */
import type {
  ListSessionsOutput,
  SessionEntriesOutput,
  SessionEntriesWarning,
  SessionMetadata,
} from "../model.ts";
import { visible } from "./visible.ts";

export function renderSessions(output: ListSessionsOutput): string {
  const lines = [`Sessions (${output.sessions.length})`];
  const addRow = (row: SessionMetadata, indent: string) => {
    lines.push(`${indent}- ${visible(row.path)}`);
    for (const child of row.subagentSessions) addRow(child, `${indent}  `);
  };
  for (const row of output.sessions) addRow(row, "");
  const warnings = output.warnings.map(({ path, reason }) => `${path}: ${reason}`);
  return [...lines, ...warningLines(warnings)].join("\n");
}

export function renderEntries(output: SessionEntriesOutput): string {
  const rows = output.entries.map(({ lineNo, type, messageRole, id }) => {
    const columns = [String(lineNo), type, messageRole, id].filter((column) => column !== null);
    return `- ${columns.map(visible).join(" ")}`;
  });
  const warnings = output.warnings.map(entryWarningText);
  return [`Entries (${output.entries.length})`, ...rows, ...warningLines(warnings)].join("\n");
}

/** One warning as text, not yet made visible. */
export function entryWarningText({ lineNo, code, reason }: SessionEntriesWarning): string {
  return `${lineNo === null ? "file" : `line ${lineNo}`} ${code}: ${reason}`;
}

function warningLines(warnings: readonly string[]): readonly string[] {
  if (warnings.length === 0) return [];
  return ["", `Warnings (${warnings.length})`, ...warnings.map((warning) => `- ${visible(warning)}`)];
}
