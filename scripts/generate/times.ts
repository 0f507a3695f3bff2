/**
 * Owns the samples of filters and order: midnights and days of 23 and 25 hours in Europe/Berlin, sibling
 * directories, equal times, equal ids (contract: README rule 3 and 4, list_sessions "Parameters" and
 * "Order").
 */
import type { SampleSet } from "./sample-set.ts";
import { STORE, shapedName } from "./sample-set.ts";

export function addTimes(set: SampleSet): void {
  addDays(set);
  addSiblings(set);
  addTies(set);
}

function addDays(set: SampleSet): void {
  const cwd = "/srv/times";
  const at = (timestamp: string, id: string, what: string) =>
    set.session({
      path: `${STORE}/--srv-times--/${shapedName(timestamp, id)}`,
      id,
      timestamp,
      cwd,
      rule: `shared rule 3, in Europe/Berlin: ${what}`,
    });
  at("2026-03-28T22:59:59.999Z", "before-spring", "March 28, 23:59:59.999");
  const springStart = at("2026-03-28T23:00:00.000Z", "spring-start", "March 29, 00:00, a day of 23 hours");
  const springEnd = at("2026-03-29T21:59:59.999Z", "spring-end", "March 29, 23:59:59.999");
  const afterSpring = at("2026-03-29T22:00:00.000Z", "after-spring", "March 30, 00:00");
  at("2026-10-24T21:59:59.999Z", "before-autumn", "October 24, 23:59:59.999");
  const autumnStart = at("2026-10-24T22:00:00.000Z", "autumn-start", "October 25, 00:00, a day of 25 hours");
  const firstHalfTwo = at("2026-10-25T00:30:00.000Z", "autumn-twice-1", "October 25, the first 02:30");
  const secondHalfTwo = at("2026-10-25T01:30:00.000Z", "autumn-twice-2", "October 25, the second 02:30");
  const autumnEnd = at("2026-10-25T22:59:59.999Z", "autumn-end", "October 25, 23:59:59.999");
  const afterAutumn = at("2026-10-25T23:00:00.000Z", "after-autumn", "October 26, 00:00");
  const ask = (rule: string, start: string, end: string, expect: readonly string[]) =>
    set.query({ rule, params: { cwds: [cwd], startTimestamp: start, endTimestamp: end }, expect });
  ask("a bare date is the whole day of 23 hours", "2026-03-29", "2026-03-29", [springStart, springEnd]);
  ask("a bare date is the whole day of 25 hours", "2026-10-25", "2026-10-25", [
    autumnStart,
    firstHalfTwo,
    secondHalfTwo,
    autumnEnd,
  ]);
  ask(
    "a date-time without offset is local; both bounds inclusive",
    "2026-03-29T00:00",
    "2026-03-29T23:59:59.999",
    [springStart, springEnd],
  );
  ask("offsets with and without colon", "2026-03-29T23:59:59.999+0200", "2026-03-30T00:00:00+02:00", [
    springEnd,
    afterSpring,
  ]);
  ask("an instant, both bounds the same", "2026-10-25T23:00Z", "2026-10-25T23:00:00.000Z", [afterAutumn]);
  set.query({
    rule: "February 30 as a bound means March 2, and a stored February 30 sorts as March 2",
    params: { cwds: ["/srv/headers"], startTimestamp: "2026-02-30", endTimestamp: "2026-02-30" },
    expect: set.rows.filter((row) => row.id === "h-feb-30").map((row) => row.path),
  });
}

function addSiblings(set: SampleSet): void {
  let minute = 0;
  const at = (dir: string, id: string, cwd: string) => {
    minute += 1;
    const timestamp = `2026-08-01T08:${String(minute).padStart(2, "0")}:00.000Z`;
    return set.session({
      path: `${STORE}/--${dir}--/${shapedName(timestamp, id)}`,
      id,
      timestamp,
      cwd,
      rule: `cwdMatch: cwd ${cwd}, verbatim in the row`,
    });
  };
  const app = at("srv-app", "app", "/srv/app");
  const slash = at("srv-app", "app-slash", "/srv/app/");
  const slashes = at("srv-app", "app-slashes", "/srv/app//");
  const fix = at("srv-app-fix", "app-fix", "/srv/app-fix");
  const fixSlash = at("srv-app-fix", "app-fix-slash", "/srv/app-fix/");
  const dash = at("srv-app-", "app-dash", "/srv/app-");
  const application = at("srv-application", "application", "/srv/application");
  const sub = at("srv-app-sub", "app-sub", "/srv/app/sub");
  at("srv-app-fix-sub", "app-fix-sub", "/srv/app-fix/sub");
  at("other-app-fix", "other", "/other/app-fix");
  at("srv-cased", "app-case", "/srv/App-fix");
  at("home-ada-app", "ada", "/home/ada/app");
  const win = at("C--src-app", "win", "C:\\src\\app");
  const winSlash = at("C--src-app", "win-slash", "C:\\src\\app\\");
  const winFix = at("C--src-app-fix", "win-fix", "C:\\src\\app-fix");
  at("C--src-application", "win-application", "C:\\src\\application");
  at("D--src-app-fix", "win-other", "D:\\src\\app-fix");
  const ask = (rule: string, cwds: readonly string[], cwdMatch: string, expect: readonly string[]) =>
    set.query({ rule, params: { cwds, cwdMatch }, expect });
  const siblings = [app, slash, slashes, fix, fixSlash, dash];
  ask("exact: trailing separators do not count", ["/srv/app"], "exact", [app, slash, slashes]);
  ask("exact: nor do they in the request", ["/srv/app//"], "exact", [app, slash, slashes]);
  ask("sibling-prefix: same parent, basename starts with app-", ["/srv/app"], "sibling-prefix", siblings);
  ask("sibling-prefix: with a trailing separator in the request", ["/srv/app/"], "sibling-prefix", siblings);
  ask("sibling-prefix is not symmetric", ["/srv/app-fix"], "sibling-prefix", [fix, fixSlash]);
  ask("alternatives in one array", ["/srv/application", "/srv/app/sub"], "exact", [application, sub]);
  ask("Windows: exact", ["C:\\src\\app"], "exact", [win, winSlash]);
  ask("Windows: sibling-prefix", ["C:\\src\\app\\"], "sibling-prefix", [win, winSlash, winFix]);
  ask("no case folding", ["c:\\src\\app"], "sibling-prefix", []);
  const root = set.rows.filter((row) => row.cwd === "/").map((row) => row.path);
  ask("the root directory matches itself", ["/"], "exact", root);
  ask("the root directory has no siblings", ["/"], "sibling-prefix", root);
}

function addTies(set: SampleSet): void {
  const timestamp = "2026-09-01T08:00:00.000Z";
  const at = (dir: string, id: string, cwd: string, rule: string, time = timestamp) =>
    set.session({ path: `${STORE}/--${dir}--/${shapedName(time, id)}`, id, timestamp: time, cwd, rule });
  const tie = "order: equal timestamps, so by path, by code unit (upper case before lower case)";
  const alpha = at("srv-tie-alpha", "tie-b", "/srv/tie", tie);
  const zeta = at("srv-tie-Zeta", "tie-a", "/srv/tie", tie);
  const same = "discovery 5: one row per file though the id occurs twice";
  const first = at("srv-same", "same-id", "/srv/same", same, "2026-09-01T09:00:00.000Z");
  const second = at("srv-same", "same-id", "/srv/same", same, "2026-09-01T09:01:00.000Z");
  const cwds = ["/srv/tie", "/srv/same"];
  const ask = (rule: string, params: object, expect: readonly string[]) =>
    set.query({ rule, params: { cwds, ...params }, expect });
  ask("order: timestamp, then path", {}, [zeta, alpha, first, second]);
  ask("order: desc negates the tie-break too", { sortDirection: "desc" }, [second, first, alpha, zeta]);
  ask("order: by id, then timestamp", { sortBy: "id" }, [first, second, zeta, alpha]);
  ask("order: by cwd, then timestamp, then path", { sortBy: "cwd" }, [first, second, zeta, alpha]);
  ask("order: by path", { sortBy: "path" }, [first, second, zeta, alpha]);
  ask("limit: after sorting", { sortDirection: "desc", limit: 2 }, [second, first]);
}
