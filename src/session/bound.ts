/** Room for a serialized result, and what fits into it. Pure. */

/** Characters of a result of `session_search`. */
export const MAX_RESULT_CHARS = 50_000;

/** The largest whole number from 0 to `max` that fits, when every smaller one fits too; undefined when 0 does not. */
export function largestFitting(max: number, fits: (candidate: number) => boolean): number | undefined {
  if (!fits(0)) return undefined;
  let low = 0;
  let high = max;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

export function jsonLengthOf(value: object | string): number {
  return JSON.stringify(value).length;
}
