/** How room is shared: who needs little gets all of it, and what is left is split evenly among the others. Pure. */

/** For each demand how much of `room` it gets; together never more than `room`. */
export function fairShares(demands: readonly number[], room: number): readonly number[] {
  const shares = demands.map(() => 0);
  const ascending = demands.map((demand, i) => ({ demand, i })).sort((a, b) => a.demand - b.demand);
  let left = Math.max(0, room);
  let waiting = ascending.length;
  for (const { demand, i } of ascending) {
    const share = Math.min(demand, Math.floor(left / waiting));
    shares[i] = share;
    left -= share;
    waiting--;
  }
  return shares;
}

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
