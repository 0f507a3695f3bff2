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
