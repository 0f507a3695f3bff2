import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { ListedRow } from "../../scripts/generate/model.ts";
import { listSessions } from "../../src/list/listSessions.ts";
import type { ListSessionsOutput } from "../../src/model.ts";
import {
  type FlatRow,
  flatten,
  GENERATED,
  generated,
  generatedPath,
  RECORDED,
  recorded,
} from "../support/samples.ts";

process.env["TZ"] = generated.timeZone;
const { rows, warnings, ignored, queries } = generated.listing;

function toFlatRow(row: ListedRow): FlatRow {
  const { id, timestamp, cwd, parentSessionPath, parent, orphan } = row;
  return {
    id,
    path: generatedPath(row.path),
    timestamp,
    cwd,
    ...(parentSessionPath === undefined ? {} : { parentSessionPath }),
    ...(orphan ? { orphaned: true as const } : {}),
    ...(parent === undefined ? {} : { parent: generatedPath(parent) }),
  };
}

const roots = [generated.root, generated.flatRoot, generated.notFlatRoot];
const isBelow = (root: string) => (at: { readonly path: string }) => at.path.startsWith(`${root}/`);

describe.each(roots)("the generated root %s", (root) => {
  describe.each([false, true])("with includeOrphans %s", (includeOrphans) => {
    let output: ListSessionsOutput;
    beforeAll(async () => {
      output = await listSessions({ includeOrphans }, { sessionsRoot: generatedPath(root) });
    });
    const isReached = (at: { readonly onlyWithOrphans?: true }) => includeOrphans || !at.onlyWithOrphans;

    test("gives exactly the rows of the manifest, in order and nested as it says", () => {
      expect(flatten(output.sessions)).toEqual(rows.filter(isBelow(root)).filter(isReached).map(toFlatRow));
    });

    test("gives exactly one warning for each faulty file and none for any other, by path and then reason", () => {
      const expected = warnings
        .filter(isBelow(root))
        .filter(isReached)
        .map((warning) => generatedPath(warning.path));
      expect(output.warnings.map((warning) => warning.path)).toEqual(expected.sort());
    });

    test("words equal faults alike and different faults differently", () => {
      const startOf = (reason: string) => reason.split(/, found |: | but /)[0];
      const reasons = new Map<string, Set<string | undefined>>();
      for (const { path: at, reason } of output.warnings) {
        const kind = warnings.find((warning) => generatedPath(warning.path) === at)?.kind ?? "";
        reasons.set(kind, (reasons.get(kind) ?? new Set()).add(startOf(reason)));
      }
      const all = [...reasons.values()].flatMap((found) => [...found]);
      for (const [kind, found] of reasons) expect([...found], kind).toHaveLength(1);
      expect(new Set(all).size).toBe(all.length);
    });

    test("says nothing of what discovery leaves out, nor of anything below it", () => {
      const named = [...flatten(output.sessions), ...output.warnings].map((at) => at.path);
      for (const { path: at, rule } of ignored) {
        const left = generatedPath(at);
        expect(
          named.filter((name) => name === left || name.startsWith(`${left}/`)),
          rule,
        ).toEqual([]);
      }
    });
  });
});

describe("the manifest's queries", () => {
  test.each(queries)("$rule", async ({ root, params, currentSession, expect: expected, hidden = [] }) => {
    const options = {
      sessionsRoot: generatedPath(root),
      ...(currentSession === undefined ? {} : { currentSessionPath: generatedPath(currentSession) }),
    };
    const output = await listSessions(params, options);
    expect(output.sessions.map((row) => row.path)).toEqual(expected.map(generatedPath));

    const isLeft = (at: ListedRow): boolean => {
      if (hidden.includes(at.path)) return false;
      const above = rows.find((row) => row.path === at.parent);
      return above === undefined || isLeft(above);
    };
    const topOf = (at: ListedRow): string => {
      const above = rows.find((row) => row.path === at.parent);
      return above === undefined ? at.path : topOf(above);
    };
    const nested = rows.filter(
      (row) => row.parent !== undefined && isLeft(row) && expected.includes(topOf(row)),
    );
    const found = flatten(output.sessions).filter((row) => row.parent !== undefined);
    expect(found.map((row) => row.path).sort()).toEqual(nested.map((row) => generatedPath(row.path)).sort());
  });

  test("filters, order and limits never touch the warnings: they describe the scan", async () => {
    const all = await listSessions({}, { sessionsRoot: generatedPath(generated.root) });
    for (const { params, root } of queries) {
      if (root !== generated.root || params["includeOrphans"] === true) continue;
      const output = await listSessions(params, { sessionsRoot: generatedPath(root) });
      expect(output.warnings).toEqual(all.warnings);
    }
  });
});

test("several roots give the rows of each, in one order, and a path never twice", async () => {
  const [first = "", ...others] = roots.map(generatedPath);
  const output = await listSessions({ sortBy: "path" }, { sessionsRoot: first, additionalRoots: others });
  const expected = rows.filter((row) => row.parent === undefined && !row.onlyWithOrphans);
  expect(output.sessions.map((row) => row.path)).toEqual(
    expected.map((row) => generatedPath(row.path)).sort(),
  );
});

describe("recorded sessions of a real Pi", () => {
  const pathOf = (name: string) =>
    path.join(RECORDED, recorded.find((session) => session.name === name)?.path ?? "");
  const recordedRoot = path.join(RECORDED, "sessions");

  test("are all listed, without a warning and without orphans", async () => {
    const output = await listSessions({ includeOrphans: true }, { sessionsRoot: recordedRoot });
    expect(output.warnings).toEqual([]);
    const all = flatten(output.sessions);
    expect(all.map((row) => row.path).sort()).toEqual(
      recorded.map((session) => path.join(RECORDED, session.path)).sort(),
    );
    expect(all.filter((row) => row.orphaned)).toEqual([]);
  });

  test("nest the subagents, the background one and the grandchild under those that launched them", async () => {
    const { sessions } = await listSessions({}, { sessionsRoot: recordedRoot });
    const parents = new Map(flatten(sessions).map((row) => [row.path, row.parent]));
    const delegation = pathOf("delegation");
    for (const name of ["scout", "reviewer", "auditor"])
      expect(parents.get(pathOf(name)), name).toBe(delegation);
    expect(parents.get(pathOf("checker"))).toBe(pathOf("reviewer"));
    const nested = ["scout", "reviewer", "auditor", "checker"].map(pathOf);
    for (const [at, parent] of parents) expect(parent !== undefined, at).toBe(nested.includes(at));
  });

  test("show fork and clone lineage, which is no nesting", async () => {
    const { sessions } = await listSessions({}, { sessionsRoot: recordedRoot });
    for (const name of ["fork", "clone"]) {
      const row = sessions.find((session) => session.path === pathOf(name));
      expect(row?.parentSessionPath?.endsWith(path.basename(pathOf("decision"))), name).toBe(true);
    }
  });
});

test("the samples are where the manifest says", () => {
  expect(generated.listing.rows.length + generated.listing.warnings.length).toBeGreaterThan(150);
  expect(path.basename(GENERATED)).toBe("generated");
});
