/**
 * The one way from a caller's path to an open session file: confined to the roots, bounded by the allowed projects,
 * a regular file, and a Pi session.
 */
import { closeSync, lstatSync } from "node:fs";
import path from "node:path";
import type { StoreOptions } from "../model.ts";
import { type AccessTest, accessTestOf } from "./access.ts";
import { MAX_REPEATED_CHARS, shortenMiddle } from "./cut.ts";
import { headerCwdOf, parseFileVersion } from "./header.ts";
import { messageOf } from "./json.ts";
import { decodeLine, readLines } from "./lines.ts";
import { isProjectDirectoryName, isTranscriptName } from "./names.ts";
import {
  type ConfinedPath,
  missingError,
  type OpenFile,
  openConfinedFile,
  openRegularFile,
  requireConfinedPath,
  requireRoots,
  UnreadableRootError,
  withShortPath,
} from "./store.ts";

export interface OpenSession extends OpenFile {
  /** Format version of the file, 1 or more. */
  readonly version: number;
}

/**
 * The caller closes the descriptor. Throws for a file that cannot be had, with one error for each reason; `parameter` is
 * what the caller's path is called there.
 */
export function openSession(
  sessionPath: string,
  options: StoreOptions,
  parameter = "sessionPath",
): OpenSession {
  const roots = requireRoots(options);
  const isAllowed = accessTestOf(options.allowedProjects);
  if (isAllowed === undefined) {
    return openConfined(sessionPath, requireConfinedPath(sessionPath, roots, parameter));
  }
  // Within bounds, whatever is wrong with a file that may not be seen must sound like its absence.
  let confined: ConfinedPath;
  try {
    confined = requireConfinedPath(sessionPath, roots, parameter);
    if (!isVisible(confined, isAllowed)) throw new Error("outside the allowed projects");
  } catch (error) {
    if (error instanceof UnreadableRootError) throw error;
    throw missingError(sessionPath, roots, parameter);
  }
  return openConfined(sessionPath, confined);
}

/** True when the session at this path, and every session it was launched from, belongs to an allowed project. */
export function isReachable(sessionPath: string, options: StoreOptions): boolean {
  const isAllowed = accessTestOf(options.allowedProjects);
  if (isAllowed === undefined) return true;
  try {
    return isVisible(requireConfinedPath(sessionPath, requireRoots(options)), isAllowed);
  } catch {
    return false; // gone or unreadable: nothing that could be shown
  }
}

function openConfined(sessionPath: string, { real }: ConfinedPath): OpenSession {
  let file: OpenFile;
  try {
    file = openConfinedFile(real);
  } catch (error) {
    throw new Error(`could not read session file: ${withShortPath(messageOf(error), real)}`, {
      cause: error,
    });
  }
  try {
    const version = parseFileVersion(firstLineOf(file));
    if (!version.ok) {
      const shown = shortenMiddle(sessionPath, MAX_REPEATED_CHARS);
      throw new Error(`not a Pi session file: ${shown}: ${version.reason}`);
    }
    return { ...file, version: version.value };
  } catch (error) {
    closeSync(file.fd);
    throw error;
  }
}

/** A session is seen when its own project is allowed and so is that of every session it was launched from. */
function isVisible({ real, realRoot }: ConfinedPath, isAllowed: AccessTest): boolean {
  return (
    isAllowed(cwdOf(real)) && launchersOf(real, realRoot).every((launcher) => isAllowed(cwdOf(launcher)))
  );
}

/** The session files whose containers the path lies in, by the rules of the walk. */
function launchersOf(real: string, realRoot: string): readonly string[] {
  const launchers: string[] = [];
  for (let directory = path.dirname(real); directory !== realRoot; directory = path.dirname(directory)) {
    const parent = path.dirname(directory);
    const isProject = parent === realRoot && isProjectDirectoryName(path.basename(directory));
    const isInProject =
      parent === realRoot ||
      (path.dirname(parent) === realRoot && isProjectDirectoryName(path.basename(parent)));
    const launcher = `${directory}.jsonl`;
    if (!isProject && (isInProject || isTranscriptName(path.basename(launcher)))) launchers.push(launcher);
  }
  return launchers.filter(isRegularFile);
}

function isRegularFile(filePath: string): boolean {
  return lstatSync(filePath, { throwIfNoEntry: false })?.isFile() ?? false;
}

function cwdOf(filePath: string): unknown {
  const file = openRegularFile(filePath);
  try {
    return headerCwdOf(firstLineOf(file) ?? "");
  } finally {
    closeSync(file.fd);
  }
}

function firstLineOf(file: OpenFile): string | undefined {
  for (const line of readLines(file.fd, { toOffset: file.size }))
    return line.isTooLong ? "" : decodeLine(line);
  return undefined;
}
