/** Stored timestamps: accepted when `Date.parse` finds an instant, ordered by that instant, returned as stored. */

/** Milliseconds since the epoch, or undefined when the value is no string that parses. */
export function parseTimestampMs(value: unknown): number | undefined {
  if (typeof value !== "string") return undefined;
  const ms = Date.parse(value);
  return Number.isFinite(ms) ? ms : undefined;
}
