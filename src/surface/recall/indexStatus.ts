/** What Pi's footer says while the index is built for the first time. */
import { countOf } from "../labels.ts";

export interface IndexProgress {
  readonly filesLeft: number;
  readonly bytesLeft: number;
  readonly bytesDone: number;
}

/** Undefined, which clears the status, when nothing is left. */
export function indexStatusText(progress: IndexProgress | undefined): string | undefined {
  if (progress === undefined || progress.filesLeft === 0) return undefined;
  const { filesLeft, bytesLeft, bytesDone } = progress;
  const total = bytesDone + bytesLeft;
  // Never 100 while something is left.
  const percent = total === 0 ? 0 : Math.min(99, Math.floor((100 * bytesDone) / total));
  return `indexing sessions ${percent}% · ${countOf(filesLeft, "file")} left`;
}
