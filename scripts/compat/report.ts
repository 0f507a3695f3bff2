/** Checks as values, and as a table. */
import { isDeepStrictEqual } from "node:util";

export interface Check {
  readonly name: string;
  /** Absent when it passed. */
  readonly failure?: string;
}

export interface Row {
  readonly title: string;
  readonly checks: readonly Check[];
}

export function requireEqual(what: string, found: unknown, expected: unknown): void {
  if (isDeepStrictEqual(found, expected)) return;
  throw new Error(`${what}: expected ${JSON.stringify(expected)}, found ${JSON.stringify(found)}`);
}

/** A Markdown table with one column per check, then what went wrong. */
export function tableOf(rows: readonly Row[], columns: readonly string[]): string {
  const cell = ({ checks }: Row, name: string) => {
    const check = checks.find((candidate) => candidate.name === name);
    return check === undefined ? "–" : check.failure === undefined ? "ok" : "FAILED";
  };
  const lines = [
    `| | ${columns.join(" | ")} |`,
    `| --- | ${columns.map(() => "---").join(" | ")} |`,
    ...rows.map((row) => `| ${[row.title, ...columns.map((name) => cell(row, name))].join(" | ")} |`),
  ];
  for (const { title, checks } of rows) {
    for (const { name, failure } of checks)
      if (failure !== undefined) lines.push(`\n${title}, ${name}: ${failure}`);
  }
  return lines.join("\n");
}

export function hasFailed(rows: readonly Row[]): boolean {
  return rows.some(({ checks }) => checks.some(({ failure }) => failure !== undefined));
}
