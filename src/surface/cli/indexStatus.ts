/** `pi-retrospect index` and `doctor`: the state of the index in words. */
import type { IndexStatus } from "../../index/status.ts";
import { countOf } from "../labels.ts";
import { sizeText } from "./progress.ts";

const MAX_LISTED = 20;

export function statusLines(status: IndexStatus): readonly string[] {
  const { excluded } = status;
  const share =
    status.storeBytes === 0 ? "" : ` (${((100 * status.indexBytes) / status.storeBytes).toFixed(1)} %)`;
  return [
    `index     ${status.indexPath}`,
    `size      ${sizeText(status.indexBytes)} for ${sizeText(status.storeBytes)} of sessions${share}`,
    `holds     ${status.sessions} sessions, ${status.messages} messages, ${status.words} words`,
    `backlog   ${status.backlogFiles} of ${status.storeFiles} files${status.walkComplete ? "" : "; a part of the store could not be read"}`,
    `excluded  ${countOf(excluded.projects, "project")}, ${countOf(excluded.files, "file")}, ${sizeText(excluded.bytes)}${excluded.projects > 0 ? " (setting index.excludePrefixes)" : ""}`,
    ...listed(
      "no session files",
      status.refused.map(({ path, reason }) => `${path}: ${reason}`),
    ),
    ...listed(
      "unreadable files",
      status.unreadable.map(({ path, reason }) => `${path}: ${reason}`),
    ),
    ...listed(
      "skipped lines",
      status.skippedLines.map(({ path, lineNo, code, reason }) => `${path}:${lineNo} ${code}: ${reason}`),
      status.skippedLineCount,
    ),
  ];
}

/** A heading with the count, the first ones, and how many more there are. */
function listed(title: string, lines: readonly string[], count = lines.length): readonly string[] {
  if (count === 0) return [];
  const shown = lines.slice(0, MAX_LISTED).map((line) => `  ${line}`);
  const more = count > shown.length ? [`  … and ${count - shown.length} more`] : [];
  return [`${title}: ${count}`, ...shown, ...more];
}

/** What is wrong, each with how to mend it; empty when all is well. */
export function advice(status: IndexStatus): readonly string[] {
  const problems: string[] = [];
  if (status.failure !== undefined) {
    problems.push(
      `the index cannot be written: ${status.failure}. Free space or mend the permissions, then run: pi-retrospect index`,
    );
  }
  if (!status.walkComplete) {
    problems.push(
      "a part of the store cannot be read. Mend the permissions of the directories that `pi-retrospect list` warns about",
    );
  }
  if (status.backlogFiles > status.unreadable.length) {
    problems.push(`${status.backlogFiles} files are not indexed yet. Run: pi-retrospect index`);
  }
  if (status.unreadable.length > 0) {
    problems.push(
      `${status.unreadable.length} session files cannot be read. Mend their permissions; see: pi-retrospect index --status`,
    );
  }
  return problems;
}
