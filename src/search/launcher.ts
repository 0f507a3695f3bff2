/** Which session launched a transcript: it follows from the paths alone. */
import { lstatSync } from "node:fs";
import path from "node:path";
import { EXTENSION, isTranscriptName, stemOf } from "../session/names.ts";

/** The session file whose container is the deepest directory above the transcript, inside the root. */
export function launcherOf(
  transcript: string,
  root: string,
  isSession: (filePath: string) => boolean,
): string | undefined {
  let directory = path.dirname(transcript);
  while (directory.length > root.length) {
    const launcher = directory + EXTENSION;
    if (isSession(launcher)) return launcher;
    directory = path.dirname(directory);
  }
  return undefined;
}

/**
 * True when a file stands where a launcher nearer than the known one would, though it is not among the sessions: it is
 * no readable session, or not known yet. It may deny what was launched from it.
 */
export function hasUnknownLauncher(filePath: string, launchedByPath: string): boolean {
  const container = stemOf(launchedByPath);
  for (let at = path.dirname(filePath); at !== container && at !== path.dirname(at); at = path.dirname(at)) {
    if (!isTranscriptName(path.basename(at) + EXTENSION)) continue;
    if (isFile(at + EXTENSION)) return true;
  }
  return false;
}

function isFile(filePath: string): boolean {
  try {
    return lstatSync(filePath, { throwIfNoEntry: false })?.isFile() ?? false;
  } catch {
    return true; // what cannot be looked at may be one
  }
}
