/** A progress bar on a terminal: files, bytes, rate, time left. Silent where the output is no terminal. */
import type { SyncProgress } from "../../index/sync.ts";
import type { Terminal } from "./terminal.ts";

/** Work that is done sooner needs no bar. */
const QUIET_MS = 300;
const REDRAW_MS = 100;
const BAR_COLUMNS = 24;
const CLEAR_LINE = "\r\u001b[K";

export class ProgressBar {
  readonly #terminal: Terminal;
  readonly #startMs = performance.now();
  #drawnMs = Number.NEGATIVE_INFINITY;
  #isDrawn = false;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  readonly show = (progress: SyncProgress): void => {
    const nowMs = performance.now();
    const { columns } = this.#terminal;
    if (columns === undefined || nowMs - this.#startMs < QUIET_MS || nowMs - this.#drawnMs < REDRAW_MS)
      return;
    this.#drawnMs = nowMs;
    this.#isDrawn = true;
    this.#terminal.write(CLEAR_LINE + progressLine(progress, nowMs - this.#startMs).slice(0, columns - 1));
  };

  clear(): void {
    if (this.#isDrawn) this.#terminal.write(CLEAR_LINE);
    this.#isDrawn = false;
  }
}

export function progressLine({ bytesDone, bytesLeft, filesLeft }: SyncProgress, elapsedMs: number): string {
  const total = bytesDone + bytesLeft;
  const share = total === 0 ? 1 : bytesDone / total;
  const filled = Math.round(share * BAR_COLUMNS);
  const bar = "█".repeat(filled) + "░".repeat(BAR_COLUMNS - filled);
  const bytesPerSecond = (1000 * bytesDone) / Math.max(1, elapsedMs);
  const secondsLeft = bytesPerSecond === 0 ? undefined : Math.ceil(bytesLeft / bytesPerSecond);
  const parts = [
    `${String(Math.floor(100 * share)).padStart(3)} %`,
    `${sizeText(bytesDone)} of ${sizeText(total)}`,
    `${filesLeft} files left`,
    `${sizeText(bytesPerSecond)}/s`,
    ...(secondsLeft === undefined ? [] : [`${secondsLeft} s left`]),
  ];
  return `indexing ${bar} ${parts.join("  ")}`;
}

/** Decimal units, as disks are sold. */
export function sizeText(bytes: number): string {
  if (bytes < 1000) return `${Math.round(bytes)} B`;
  if (bytes < 1e6) return `${(bytes / 1e3).toFixed(0)} kB`;
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(2)} GB`;
}
