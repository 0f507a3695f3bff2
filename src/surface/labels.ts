/** Short names of things for people: a project, a time. Nothing here is made visible yet. */
import path from "node:path";

/** The last segment of a working directory, in POSIX or Windows spelling; an empty string when there is none. */
export function projectLabel(cwd: string | null): string {
  if (cwd === null) return "";
  return (cwd.startsWith("/") ? path.posix : path.win32).basename(cwd) || cwd;
}

const UNITS = [
  ["y", 365 * 24 * 60],
  ["w", 7 * 24 * 60],
  ["d", 24 * 60],
  ["h", 60],
  ["m", 1],
] as const;

/** How long ago, in at most four columns: `now`, `5m`, `3h`, `2d`, `7w`, `12y`; an empty string for no time. */
export function ageLabel(timestampMs: number, nowMs: number): string {
  if (!Number.isFinite(timestampMs)) return "";
  const minutes = Math.floor((nowMs - timestampMs) / 60_000);
  for (const [unit, size] of UNITS) {
    if (minutes >= size) return `${Math.min(999, Math.floor(minutes / size))}${unit}`;
  }
  return "now";
}

/** `1 session`, `2 sessions`, `1,234 sessions`. */
export function countOf(count: number, thing: string): string {
  return `${count.toLocaleString("en-US")} ${thing}${count === 1 ? "" : "s"}`;
}

/** `2026-11-30 19:41:07` in the host's timezone. */
export function localSecond(timestampMs: number): string {
  return `${localMinute(timestampMs)}:${String(new Date(timestampMs).getSeconds()).padStart(2, "0")}`;
}

/** `2026-11-30 19:41` in the host's timezone. */
export function localMinute(timestampMs: number): string {
  const date = new Date(timestampMs);
  const two = (value: number) => String(value).padStart(2, "0");
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}
