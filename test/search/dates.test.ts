import { describe, expect, test } from "vitest";
import { datesIn, isOnDate } from "../../src/search/dates.ts";

/** `2026-3-4` for a day, `2026-3` for a month, `-3-4` without a year. */
const shown = (text: string) =>
  datesIn(text).map(
    ({ year, month, day }) => `${year ?? ""}-${month + 1}${day === undefined ? "" : `-${day}`}`,
  );

describe("a time that a query names", () => {
  test.each([
    ["what broke in march", ["-3"]],
    ["in march 2026", ["2026-3"]],
    ["march, 2026", ["2026-3"]],
    ["on 11 december, 2023", ["2023-12-11"]],
    ["on the 3rd of june", ["-6-3"]],
    ["november 11, 2023 and 2 jan", ["-1-2", "2023-11-11"]],
    ["aug 2nd", ["-8-2"]],
    ["since sept", ["-9"]],
    ["2026-03-04 or 2026-05", ["2026-3-4", "2026-5"]],
  ])("stands in %j", (text, dates) => expect(shown(text).sort()).toEqual([...dates].sort()));

  test.each(["may i march on", "it may 2", "2026-13-01", "version 2026", "marching in 12", "decimal 3"])(
    "does not stand in %j, or is no month",
    (text) => expect(shown(text).filter((date) => !date.startsWith("-5-2"))).toEqual([]),
  );

  test("is a day or month of the host, in every year when none is named", () => {
    const noonMs = new Date(2026, 2, 4, 12).getTime();
    const yes = ["2026-03-04", "2026-03", "4 march", "in march"];
    const no = ["2026-03-05", "2026-04", "2025-03-04", "5 march", "in april"];
    for (const text of yes) expect(datesIn(text).map((date) => isOnDate(noonMs, date))).toEqual([true]);
    for (const text of no) expect(datesIn(text).map((date) => isOnDate(noonMs, date))).toEqual([false]);
    expect(datesIn("2026-03-04").map((date) => isOnDate(new Date(2026, 2, 4, 0).getTime(), date))).toEqual([
      true,
    ]);
    expect(datesIn("2026-03-04").map((date) => isOnDate(new Date(2026, 2, 5, 0).getTime(), date))).toEqual([
      false,
    ]);
  });
});
