/** Which session launched a transcript: it follows from the paths alone. */
import path from "node:path";

/** The session file whose container is the deepest directory above the transcript, inside the root. */
export function launcherOf(
  transcript: string,
  root: string,
  isSession: (filePath: string) => boolean,
): string | undefined {
  let directory = path.dirname(transcript);
  while (directory.length > root.length) {
    const launcher = `${directory}.jsonl`;
    if (isSession(launcher)) return launcher;
    directory = path.dirname(directory);
  }
  return undefined;
}
