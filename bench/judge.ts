/** Samples to rows of the table: each bar of a case against its pairs. Pure. */
import type { Bar, BenchCase, Sample } from "./case.ts";
import { median } from "./statistics.ts";

export interface Pair {
  readonly ours: Sample;
  readonly floor: Sample | undefined;
}

export interface Row {
  readonly case: string;
  readonly label: string;
  readonly unit: string;
  /** Medians, and the worst of ours. */
  readonly ours: number;
  readonly worst: number;
  readonly floor: number | null;
  readonly ratio: number | null;
  /** The same ratio of the main threads' processor time: steadier when the machine is busy. Never judged. */
  readonly cpuRatio: number | null;
  readonly kind: Bar["kind"];
  readonly bound: number;
  /** Null where there is no bar. */
  readonly pass: boolean | null;
}

export function rowOf(name: string, bar: Bar, pairs: readonly Pair[]): Row {
  const ours = pairs.map((pair) => bar.of(pair.ours));
  const both = pairs.flatMap(({ ours, floor }) =>
    floor === undefined ? [] : [[bar.of(ours), bar.of(floor)] as const],
  );
  // A figure that ours alone reports has no floor.
  const floors = both.map(([, floor]) => floor).filter((floor) => !Number.isNaN(floor));
  const judged = {
    limit: () => median(ours),
    least: () => median(ours),
    shown: () => median(ours),
    ratio: () => median(both.map(([our, floor]) => our / floor)),
    excess: () => median(both.map(([our, floor]) => our - floor)),
  }[bar.kind]();
  return {
    case: name,
    label: bar.label,
    unit: bar.unit,
    ours: median(ours),
    worst: bar.kind === "least" ? Math.min(...ours) : Math.max(...ours),
    floor: floors.length === 0 ? null : median(floors),
    ratio: bar.kind === "ratio" ? judged : null,
    cpuRatio: bar.kind === "ratio" && bar.isTime === true ? cpuRatioOf(pairs) : null,
    kind: bar.kind,
    bound: bar.bound,
    pass: bar.kind === "shown" ? null : bar.kind === "least" ? judged >= bar.bound : judged <= bar.bound,
  };
}

function cpuRatioOf(pairs: readonly Pair[]): number {
  return median(pairs.flatMap(({ ours, floor }) => (floor === undefined ? [] : [ours.cpuMs / floor.cpuMs])));
}

const BUSY_RATIO = 1.15;

/**
 * What to add when others used the machine: a floor seldom waits for anything but the processor, so wall time far
 * above its processor time was lost to them.
 */
export function busyNote(samples: Readonly<Record<string, readonly Pair[]>>): string | undefined {
  const busy = Object.entries(samples).filter(([, pairs]) => {
    const waits = pairs.flatMap(({ floor }) => (floor === undefined ? [] : [floor.wallMs / floor.cpuMs]));
    return waits.length > 0 && median(waits) > BUSY_RATIO;
  });
  if (busy.length === 0) return undefined;
  const names = busy.map(([name]) => name).join(", ");
  return `The machine was busy during ${names}: run again when it is idle, or read the (cpu) column meanwhile.`;
}

/** Throws when the two sides did not do the same work. */
export function requireAgreement(definition: BenchCase, { ours, floor }: Pair): void {
  const [our, their] = [ours.figures["rows"], floor?.figures["rows"]];
  if (our !== undefined && their !== undefined && our !== their) {
    throw new Error(`${definition.name}: ours found ${our} rows, the floor ${their}`);
  }
}

export function formatTable(rows: readonly Row[]): string {
  const header = ["case", "measure", "ours", "worst", "floor", "ratio", "(cpu)", "bar", "pass"];
  const body = rows.map((row) => [
    row.case,
    row.label,
    quantity(row.ours, row.unit),
    quantity(row.worst, row.unit),
    row.floor === null ? "–" : quantity(row.floor, row.unit),
    row.ratio?.toFixed(2) ?? "–",
    row.cpuRatio?.toFixed(2) ?? "–",
    barOf(row),
    row.pass === null ? "–" : row.pass ? "yes" : "NO",
  ]);
  const widths = header.map((title, i) =>
    Math.max(title.length, ...body.map((cells) => cells[i]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(" | ")} |`;
  return [line(header), line(widths.map((width) => "-".repeat(width))), ...body.map(line)].join("\n");
}

function barOf({ kind, bound, unit }: Row): string {
  switch (kind) {
    case "ratio":
      return `≤ ${bound} × floor`;
    case "excess":
      return `≤ floor + ${bound} ${unit}`;
    case "limit":
      return `≤ ${bound} ${unit}`;
    case "least":
      return `≥ ${bound} ${unit}`;
    case "shown":
      return "–";
  }
}

function quantity(value: number, unit: string): string {
  const digits = Math.abs(value) < 10 ? 2 : Math.abs(value) < 100 ? 1 : 0;
  return `${value.toFixed(digits)} ${unit}`.trimEnd();
}
