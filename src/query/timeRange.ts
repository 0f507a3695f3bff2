/**
 * Filter bounds: `startTimestamp` and `endTimestamp`, both inclusive. A bare date is one whole calendar day in the
 * host's timezone, built from two local midnights; a date-time without offset is local time.
 */
import { ParameterError } from "../session/parameterError.ts";
import { optionalString } from "./params.ts";

export interface TimeRange {
  /** Milliseconds since the epoch, inclusive; ∓Infinity when unbounded. */
  readonly startMs: number;
  readonly endMs: number;
}

const BOUND =
  /^(?<date>\d{4}-\d{2}-\d{2})(?<time>T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|(?<sign>[+-])(?<hh>\d{2}):?(?<mm>\d{2}))?)?$/;
const ACCEPTED = "YYYY-MM-DD, or that plus THH:MM[:SS[.fraction]] and an optional Z, ±HHMM or ±HH:MM";

export function requireTimeRange(start: unknown, end: unknown): TimeRange {
  const startMs = requireBoundMs("startTimestamp", start, "start") ?? Number.NEGATIVE_INFINITY;
  const endMs = requireBoundMs("endTimestamp", end, "end") ?? Number.POSITIVE_INFINITY;
  // A day that the timezone skipped, given as both bounds, is an empty range and no mistake.
  if (endMs < startMs && start !== end) {
    throw new ParameterError(
      `endTimestamp ${JSON.stringify(end)} lies before startTimestamp ${JSON.stringify(start)}; expected a range that ends at or after its start`,
    );
  }
  return { startMs, endMs };
}

export function isInRange(timestampMs: number, range: TimeRange): boolean {
  return timestampMs >= range.startMs && timestampMs <= range.endMs;
}

function requireBoundMs(name: string, value: unknown, edge: "start" | "end"): number | undefined {
  const bound = optionalString(name, value);
  if (bound === undefined) return undefined;
  const groups = BOUND.exec(bound)?.groups;
  if (groups === undefined) throw unparseable(name, bound);
  const { date = "", time, sign, hh, mm } = groups;
  // Engines agree only on the colon form of an offset.
  const normalized =
    sign === undefined ? bound : `${bound.replace(/[+-]\d{2}:?\d{2}$/, "")}${sign}${hh}:${mm}`;
  const ms = Date.parse(normalized);
  if (!Number.isFinite(ms)) throw unparseable(name, bound);
  if (time !== undefined) return ms;
  return edge === "start" ? localMidnightMs(date, 0) : localMidnightMs(date, 1) - 1;
}

/** The first instant of the day `daysLater` days after `date` in the host's timezone. */
function localMidnightMs(date: string, daysLater: number): number {
  const [year = 0, month = 0, day = 0] = date.split("-").map(Number);
  const midnight = new Date(0);
  midnight.setHours(0, 0, 0, 0);
  midnight.setFullYear(year, month - 1, day + daysLater);
  midnight.setHours(0, 0, 0, 0);
  return midnight.getTime();
}

function unparseable(name: string, bound: string): ParameterError {
  return new ParameterError(
    `${name} ${JSON.stringify(bound.slice(0, 80))} is not a time; expected ${ACCEPTED}`,
  );
}
