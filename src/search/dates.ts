/**
 * Times that a question names: `in March 2026`, `on 11 December`, `2026-03-04`. They seldom stand in the messages of
 * that time, whose own timestamps say it. Days and months are the host's, as in filter bounds.
 */

/** A day or a month; without a year, of every year. `month` counts from 0. */
export interface NamedDate {
  readonly year: number | undefined;
  readonly month: number;
  readonly day: number | undefined;
}

const MONTHS = [
  "january",
  "february",
  "march",
  "april",
  "may",
  "june",
  "july",
  "august",
  "september",
  "october",
  "november",
  "december",
] as const;
const MONTH = `(${MONTHS.map((name) => `${name}|${name.slice(0, 3)}`).join("|")}|sept)`;
const DAY = "(\\d{1,2})(?:st|nd|rd|th)?";
const YEAR = "((?:19|20)\\d\\d)";
const OF_YEAR = `(?:,? (?:of )?${YEAR})?`;
const NUMERIC = new RegExp(`\\b${YEAR}-(\\d\\d)(?:-(\\d\\d))?\\b`, "g");
const DAY_FIRST = new RegExp(`\\b${DAY} (?:of )?${MONTH}\\b${OF_YEAR}`, "g");
const MONTH_FIRST = new RegExp(`\\b${MONTH} ${DAY}\\b${OF_YEAR}`, "g");
/** `may` and `march` alone are other words more often, so a month stands behind `in`, `since` and the like, or has a year. */
const MONTH_ALONE = new RegExp(
  `\\b(?:(?:in|of|since|during|until|last|early|mid|late) ${MONTH}\\b${OF_YEAR}|${MONTH},? ${YEAR}\\b)`,
  "g",
);

/** The times named in a folded query. */
export function datesIn(folded: string): readonly NamedDate[] {
  const dates: NamedDate[] = [];
  const add = (year: string | undefined, month: number, day: string | undefined): string => {
    const date = {
      year: year === undefined ? undefined : Number(year),
      month,
      day: day === undefined ? undefined : Number(day),
    };
    if (month >= 0 && month < 12) dates.push(date);
    return " ";
  };
  folded
    .replace(NUMERIC, (_, year?: string, month?: string, day?: string) => add(year, Number(month) - 1, day))
    .replace(DAY_FIRST, (_, day?: string, month = "", year?: string) => add(year, monthOf(month), day))
    .replace(MONTH_FIRST, (_, month = "", day?: string, year?: string) => add(year, monthOf(month), day))
    .replace(MONTH_ALONE, (_, month?: string, year?: string, named = "", ofYear?: string) =>
      add(year ?? ofYear, monthOf(month ?? named), undefined),
    );
  return dates;
}

export function isOnDate(timestampMs: number, { year, month, day }: NamedDate): boolean {
  if (year !== undefined) {
    const startMs = new Date(year, month, day ?? 1).getTime();
    const endMs = (day === undefined ? new Date(year, month + 1) : new Date(year, month, day + 1)).getTime();
    return timestampMs >= startMs && timestampMs < endMs;
  }
  const date = new Date(timestampMs);
  return date.getMonth() === month && (day === undefined || date.getDate() === day);
}

function monthOf(name: string): number {
  return MONTHS.findIndex((month) => month.startsWith(name.slice(0, 3)));
}
