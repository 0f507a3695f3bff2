/** How Pi and its extensions name what they store, and how paths are put together from names. Touches no disk. */
import path from "node:path";

const PROJECT_DIRECTORY = /^--.*--$/s;
/** How Pi names a session file: `<ISO time with dashes>_<id>.jsonl`. */
const SESSION_FILE = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z_.+\.jsonl$/s;
const SUBAGENT_FILE = "session.jsonl";
export const EXTENSION = ".jsonl";

export function isProjectDirectoryName(name: string): boolean {
  return name.length >= 4 && PROJECT_DIRECTORY.test(name);
}

export function isTranscriptName(name: string): boolean {
  return name === SUBAGENT_FILE || SESSION_FILE.test(name);
}

/** True for any file with the extension: what counts directly in a project. */
export function isSessionName(name: string): boolean {
  return name.endsWith(EXTENSION);
}

/** True for a name as Pi gives it: `<ISO time with dashes>_<id>.jsonl`. */
export function isPiSessionName(name: string): boolean {
  return SESSION_FILE.test(name);
}

/** The name without its extension, which is the name of the session's container. */
export function stemOf(fileName: string): string {
  return fileName.slice(0, -EXTENSION.length);
}

export function join(directory: string, name: string): string {
  return directory.endsWith(path.sep) ? directory + name : directory + path.sep + name;
}
