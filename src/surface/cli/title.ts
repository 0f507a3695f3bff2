/** What a person knows a session by: its name, else the first words of its first user message. */
import { closeSync } from "node:fs";
import { type JudgedLine, judgeLine } from "../../session/entry.ts";
import { messageOf } from "../../session/json.ts";
import { type Line, readLines } from "../../session/lines.ts";
import type { Pace } from "../../session/pace.ts";
import { openRegularFile } from "../../session/store.ts";
import { textOf } from "../../session/text.ts";

const NAME_MARK = '"session_info"';
const MAX_WORDS_CHARS = 200;

/**
 * The latest name, else the first user message's start, else an empty string. Reads the file once and parses only
 * the lines up to the first user message and those that may set a name.
 */
export async function titleOf(sessionPath: string, pace: Pace): Promise<string> {
  let file: ReturnType<typeof openRegularFile>;
  try {
    file = openRegularFile(sessionPath);
  } catch (error) {
    return `(not readable: ${messageOf(error)})`;
  }
  try {
    let name = "";
    let firstWords: string | undefined;
    for (const line of readLines(file.fd, { toOffset: file.size })) {
      if (pace.isDue()) await pace.rest();
      if (line.number === 1 || (firstWords !== undefined && !holds(line, NAME_MARK))) continue;
      for (const entry of entriesOf(line)) {
        const text = textOf(entry.raw) ?? "";
        if (entry.type === "session_info") name = startOf(text);
        else if (entry.messageRole === "user") firstWords ??= startOf(text);
      }
    }
    return name || (firstWords ?? "");
  } finally {
    closeSync(file.fd);
  }
}

/** The first words as a string of their own: a slice would keep the whole text in memory. */
function startOf(text: string): string {
  const start = text.slice(0, MAX_WORDS_CHARS).replace(/[\ud800-\udbff]$/, "");
  return Buffer.from(start, "utf16le").toString("utf16le");
}

function entriesOf(line: Line): JudgedLine["entries"] {
  return judgeLine(line, Number.POSITIVE_INFINITY).entries;
}

function holds(line: Line, mark: string): boolean {
  return line.buffer.subarray(line.start, line.end).includes(mark);
}
