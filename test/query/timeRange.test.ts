import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { isInRange, requireTimeRange } from "../../src/query/timeRange.ts";

const HOUR = 3_600_000;
const before = process.env["TZ"];
beforeEach(() => {
  process.env["TZ"] = "Europe/Berlin";
});
afterEach(() => {
  if (before === undefined) delete process.env["TZ"];
  else process.env["TZ"] = before;
});

const at = (iso: string) => Date.parse(iso);
const startOf = (bound: string) => requireTimeRange(bound, undefined).startMs;
const endOf = (bound: string) => requireTimeRange(undefined, bound).endMs;

describe("accepted bounds", () => {
  test.each([
    ["2026-05-01T10:20Z", "2026-05-01T10:20:00.000Z"],
    ["2026-05-01T10:20:30Z", "2026-05-01T10:20:30.000Z"],
    ["2026-05-01T10:20:30.5Z", "2026-05-01T10:20:30.500Z"],
    ["2026-05-01T10:20:30.123456789Z", "2026-05-01T10:20:30.123Z"],
    ["2026-05-01T10:20+0200", "2026-05-01T08:20:00.000Z"],
    ["2026-05-01T10:20+02:00", "2026-05-01T08:20:00.000Z"],
    ["2026-05-01T10:20:30.25-1130", "2026-05-01T21:50:30.250Z"],
    ["2026-05-01T10:20:30-00:00", "2026-05-01T10:20:30.000Z"],
    ["2026-05-01T10:20", "2026-05-01T08:20:00.000Z"],
    ["2026-05-01T10:20:30", "2026-05-01T08:20:30.000Z"],
    ["2026-05-01T10:20:30.75", "2026-05-01T08:20:30.750Z"],
    ["2026-12-01T10:20", "2026-12-01T09:20:00.000Z"],
    ["2026-02-30T10:00Z", "2026-03-02T10:00:00.000Z"],
  ])("%s is the instant %s, as a start and as an end", (bound, instant) => {
    expect(startOf(bound)).toBe(at(instant));
    expect(endOf(bound)).toBe(at(instant));
  });
});

describe("a bare date is one whole calendar day of the host", () => {
  test.each([
    ["Europe/Berlin", "2026-05-01", "2026-04-30T22:00:00Z", 24],
    ["Europe/Berlin", "2026-03-29", "2026-03-28T23:00:00Z", 23],
    ["Europe/Berlin", "2026-10-25", "2026-10-24T22:00:00Z", 25],
    ["Europe/Berlin", "2026-12-31", "2026-12-30T23:00:00Z", 24],
    ["Europe/Berlin", "2026-02-30", "2026-03-01T23:00:00Z", 24],
    ["America/New_York", "2026-03-08", "2026-03-08T05:00:00Z", 23],
    ["America/New_York", "2026-11-01", "2026-11-01T04:00:00Z", 25],
    ["UTC", "2024-02-29", "2024-02-29T00:00:00Z", 24],
    ["UTC", "0001-01-01", "0001-01-01T00:00:00Z", 24],
    ["Pacific/Kiritimati", "2026-05-01", "2026-04-30T10:00:00Z", 24],
    ["Australia/Lord_Howe", "2026-04-05", "2026-04-04T13:00:00Z", 24.5],
    // Clocks went forward at midnight: the day began at one o'clock.
    ["America/Sao_Paulo", "2018-11-04", "2018-11-04T03:00:00Z", 23],
    // Clocks went back at one o'clock: midnight came twice, and the day began at the first.
    ["America/Havana", "2026-11-01", "2026-11-01T04:00:00Z", 25],
  ])("in %s %s starts at %s and has %d hours", (timeZone, date, start, hours) => {
    process.env["TZ"] = timeZone;
    const range = requireTimeRange(date, date);
    expect(range.startMs).toBe(at(start));
    expect(range.endMs).toBe(at(start) + hours * HOUR - 1);
  });

  test("days follow one another without gap or overlap, through every change of clocks", () => {
    const zones = fc.constantFrom(
      "Europe/Berlin",
      "America/New_York",
      "UTC",
      "Asia/Kathmandu",
      "Australia/Lord_Howe",
    );
    fc.assert(
      fc.property(zones, fc.integer({ min: 0, max: 20_000 }), (timeZone, day) => {
        process.env["TZ"] = timeZone;
        const dateOf = (offset: number) => new Date((day + offset) * 24 * HOUR).toISOString().slice(0, 10);
        expect(startOf(dateOf(1))).toBe(endOf(dateOf(0)) + 1);
        const localDateOf = (ms: number) => new Date(ms).toLocaleDateString("sv"); // YYYY-MM-DD
        expect(localDateOf(startOf(dateOf(0)))).toBe(dateOf(0));
        expect(localDateOf(startOf(dateOf(0)) - 1)).toBe(dateOf(-1));
      }),
      { numRuns: 400 },
    );
  });
});

describe("refused bounds", () => {
  test.each([
    "",
    " ",
    "2026",
    "2026-05",
    "2026-5-1",
    "20260501",
    "2026-W18",
    "2026-121",
    "2026-13-01",
    "2026-00-01",
    "2026-01-32",
    "2026-01-00",
    " 2026-05-01",
    "2026-05-01 ",
    "2026-05-01\n",
    "2026-05-01Z",
    "2026-05-01T",
    "2026-05-01T10",
    "2026-05-01T10Z",
    "2026-05-01T1:00",
    "2026-05-01T10:00:",
    "2026-05-01T10:00:00.",
    "2026-05-01T10:00:00,5",
    "2026-05-01T25:00",
    "2026-05-01T10:60",
    "2026-05-01T10:00:61",
    "2026-05-01T10:00z",
    "2026-05-01t10:00",
    "2026-05-01 10:00",
    "2026-05-01T10:00+02",
    "2026-05-01T10:00+2:00",
    "2026-05-01T10:00+02:0",
    "2026-05-01T10:00+99:99",
    "2026-05-01T10:00 +02:00",
    "2026-05-01T10:00ZZ",
    "2026-05-01T10:00[Europe/Berlin]",
    "+002026-05-01",
    "-000001-05-01",
    "May 1, 2026",
    "Fri, 01 May 2026 10:00:00 GMT",
    "1777622400000",
    "yesterday",
    "٢٠٢٦-٠٥-٠١",
  ])("%j throws for either bound and names it, the fault and what is accepted", (bound) => {
    for (const [name, call] of [
      ["startTimestamp", startOf],
      ["endTimestamp", endOf],
    ] as const) {
      const shown = expect.stringContaining(JSON.stringify(bound).slice(0, 60));
      expect(() => call(bound)).toThrow(expect.objectContaining({ name: "ParameterError", message: shown }));
      expect(() => call(bound)).toThrow(new RegExp(`^${name} .*YYYY-MM-DD`));
    }
  });

  test.each([[7], [null], [true], [new Date()], [["2026-05-01"]], [{}]])("%j is no string", (bound) => {
    expect(() => requireTimeRange(bound, undefined)).toThrow(/^startTimestamp must be a string, got /);
    expect(() => requireTimeRange(undefined, bound)).toThrow(/^endTimestamp must be a string, got /);
  });

  test("no other text is accepted: what is, parses and has the shape", () => {
    const shape = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$/;
    const text = fc.oneof(
      fc.stringMatching(/^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:?\d\d)?)?$/),
      fc.string({ unit: fc.constantFrom(..."0123456789-:TZ+. "), maxLength: 25 }),
    );
    fc.assert(
      fc.property(text, (bound) => {
        let ms: number | undefined;
        try {
          ms = startOf(bound);
        } catch {
          ms = undefined;
        }
        if (ms !== undefined) expect(Number.isFinite(ms) && shape.test(bound)).toBe(true);
        else if (shape.test(bound))
          expect(Number.isNaN(Date.parse(bound.replace(/(\d\d)(\d\d)$/, "$1:$2")))).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});

describe("a range", () => {
  test("without bounds holds everything", () => {
    expect(requireTimeRange(undefined, undefined)).toEqual({ startMs: -Infinity, endMs: Infinity });
    expect(isInRange(at("0000-01-01"), requireTimeRange(undefined, undefined))).toBe(true);
  });

  test("holds both its edges and nothing a millisecond beyond", () => {
    const range = requireTimeRange("2026-05-01T10:00:00Z", "2026-05-01T10:00:01Z");
    const edges = [range.startMs - 1, range.startMs, range.endMs, range.endMs + 1];
    expect(edges.map((ms) => isInRange(ms, range))).toEqual([false, true, true, false]);
    const instant = requireTimeRange("2026-05-01T10:00Z", "2026-05-01T12:00+02:00");
    expect(isInRange(at("2026-05-01T10:00Z"), instant)).toBe(true);
  });

  test.each([
    ["2026-05-02", "2026-05-01"],
    ["2026-05-01T10:00:00.001Z", "2026-05-01T10:00:00Z"],
    ["2026-05-01T10:00", "2026-05-01T10:00+0300"],
    ["2026-05-02T00:00", "2026-05-01"],
  ])("from %s to %s ends before it starts and throws", (start, end) => {
    expect(() => requireTimeRange(start, end)).toThrow(/^endTimestamp .* lies before startTimestamp /);
  });

  test("from a time of a day to that bare day is no reversed range", () => {
    expect(() => requireTimeRange("2026-05-01T23:59:59.999", "2026-05-01")).not.toThrow();
  });
});
