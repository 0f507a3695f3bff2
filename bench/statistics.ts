/** Of several measurements, the one to go by. */

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}

/** The value that this share of the values does not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

/** Does short work several times and gives the median of its wall times, in milliseconds. */
export async function medianTimeOf(times: number, work: () => unknown): Promise<number> {
  const walls: number[] = [];
  for (let i = 0; i < times; i++) {
    const startMs = performance.now();
    await work();
    walls.push(performance.now() - startMs);
  }
  return median(walls);
}
