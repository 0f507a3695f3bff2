/**
 * From a caller's path to an open session file of known version. Every refusal is an error that repeats no more than
 * a bounded part of the path.
 */
import { closeSync } from "node:fs";
import type { StoreOptions } from "../model.ts";
import { parseFileVersion } from "../session/header.ts";
import { messageOf } from "../session/json.ts";
import { decodeLine, readLines } from "../session/lines.ts";
import { Pace } from "../session/pace.ts";
import { ParameterError } from "../session/parameterError.ts";
import { type OpenFile, openRegularFile, requireConfinedPath, requireRoots } from "../session/store.ts";
import { MAX_REPEATED_CHARS, shortenMiddle } from "./cut.ts";
import type { ReadRequest } from "./request.ts";

export interface Transcript {
  readonly file: OpenFile;
  readonly version: number;
  readonly pace: Pace;
}

/**
 * Runs `use` on the session file that the request names and closes it.
 *
 * @throws ParameterError for a path outside every root
 * @throws Error for an unreadable root, an unreadable file, and one that is no Pi session
 */
export async function withTranscript<T>(
  request: ReadRequest,
  options: StoreOptions,
  use: (transcript: Transcript) => Promise<T>,
): Promise<T> {
  const roots = requireRoots(options);
  const pace = new Pace(options.signal);
  const file = openConfined(request.sessionId, roots);
  try {
    return await use({ file, version: requireVersion(file, request.sessionId), pace });
  } finally {
    closeSync(file.fd);
  }
}

function openConfined(sessionId: string, roots: readonly string[]): OpenFile {
  let realPath: string;
  try {
    realPath = requireConfinedPath(sessionId, roots);
  } catch (error) {
    if (error instanceof ParameterError) throw outside(sessionId, roots);
    throw new Error(withShortPath(messageOf(error), sessionId), { cause: error });
  }
  try {
    return openRegularFile(realPath);
  } catch (error) {
    const reason = withShortPath(messageOf(error), realPath);
    throw new Error(`could not read session file: ${reason}`, { cause: error });
  }
}

function outside(sessionId: string, roots: readonly string[]): ParameterError {
  const shown = shortenMiddle(sessionId, MAX_REPEATED_CHARS);
  return new ParameterError(
    `sessionId is outside the sessions root: ${shown}; expected a file inside ${roots.join(" or ")}`,
  );
}

/** The system puts the path, or a part of it, behind its reason: `ENOENT: no such file or directory, lstat '/a/b'`. */
function withShortPath(message: string, filePath: string): string {
  if (filePath.length <= MAX_REPEATED_CHARS) return message;
  const reason = message.replace(/, \w+ '.*$/s, "");
  return `${reason}: ${shortenMiddle(filePath, MAX_REPEATED_CHARS)}`;
}

function requireVersion(file: OpenFile, sessionId: string): number {
  let first: string | undefined;
  for (const line of readLines(file.fd, { toOffset: file.size })) {
    first = line.isTooLong ? "" : decodeLine(line);
    break;
  }
  const version = parseFileVersion(first);
  if (version.ok) return version.value;
  const shown = shortenMiddle(sessionId, MAX_REPEATED_CHARS);
  throw new Error(`not a Pi session file: ${shown}: ${version.reason}`);
}
