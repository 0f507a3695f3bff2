import { rmSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { listSessions } from "../../src/list/listSessions.ts";
import type { ListSessionsParams } from "../../src/model.ts";
import { fileOf, header, type Scratch, scratch } from "../support/stores.ts";

interface Session {
  readonly name: string;
  readonly id: string;
  readonly timestamp: string;
  readonly cwd: string;
}

const times = fc.constantFrom(
  "2026-05-01T08:00:00Z",
  "2026-05-01T10:00:00+02:00",
  "2026-05-02",
  "2026-02-30T10:00Z",
);
const cwd = fc.constantFrom("/srv/app", "/srv/app/", "/srv/app-fix", "/other", "C:\\a", "\ud800");
const session = fc.record({
  name: fc.string({ unit: fc.constantFrom("a", "b", "ä", "日", "-"), minLength: 1, maxLength: 4 }),
  id: fc.constantFrom("same", "other", "id"),
  timestamp: times,
  cwd,
});
const sessions = fc.uniqueArray(session, { maxLength: 9, selector: ({ name }) => name });
const filters = fc.record<ListSessionsParams>(
  {
    sortBy: fc.constantFrom("timestamp", "cwd", "path", "id"),
    sortDirection: fc.constantFrom("asc", "desc"),
    cwds: fc.constantFrom(["/srv/app"], ["/srv/app", "/other"]),
    cwdMatch: fc.constantFrom("exact", "sibling-prefix"),
    startTimestamp: fc.constant("2026-03-03"),
    endTimestamp: fc.constant("2026-05-01T09:00Z"),
    includeOrphans: fc.boolean(),
  },
  { requiredKeys: [] },
);

let runs = 0;
/** Writes the sessions into a root of their own. */
function storeOf(tree: Scratch, content: readonly Session[]) {
  const root = `store-${runs++}`;
  const add = ({ name, ...fields }: Session) =>
    tree.write(`${root}/--p--/${name}.jsonl`, fileOf(header(fields)));
  content.forEach(add);
  tree.mkdir(root);
  return {
    root: tree.at(root),
    add,
    remove: ({ name }: Session) => rmSync(tree.at(root, "--p--", `${name}.jsonl`), { force: true }),
  };
}

describe("paging", () => {
  test("returns each row once and in order, whatever the limit, order and filters", async () => {
    const tree = scratch();
    await fc.assert(
      fc.asyncProperty(sessions, filters, fc.integer({ min: 1, max: 4 }), async (content, params, limit) => {
        const { root } = storeOf(tree, content);
        const all = await listSessions(params, { sessionsRoot: root });
        const paged = [];
        let cursor: string | undefined;
        do {
          const page = await listSessions({ ...params, limit, cursor }, { sessionsRoot: root });
          expect(page.sessions.length).toBeLessThanOrEqual(limit);
          if (page.nextCursor !== undefined) expect(page.sessions).toHaveLength(limit);
          paged.push(...page.sessions);
          cursor = page.nextCursor;
        } while (cursor !== undefined);
        expect(paged).toEqual(all.sessions);
        expect(all.nextCursor).toBeUndefined();
      }),
      { numRuns: 120 },
    );
  });

  test("returns each stable row once and in order while sessions come and go between calls", async () => {
    const tree = scratch();
    const change = fc.array(fc.oneof(fc.record({ add: session }), fc.record({ remove: fc.nat(8) })), {
      maxLength: 3,
    });
    const stream = fc.array(change, { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(
        sessions,
        filters,
        fc.integer({ min: 1, max: 3 }),
        stream,
        async (content, params, limit, changes) => {
          const { root, add, remove } = storeOf(tree, content);
          const touched = new Set<string>();
          const before = await listSessions(params, { sessionsRoot: root });
          const paged: string[] = [];
          let cursor: string | undefined;
          let calls = 0;
          do {
            const page = await listSessions({ ...params, limit, cursor }, { sessionsRoot: root });
            paged.push(...page.sessions.map((row) => row.path));
            cursor = page.nextCursor;
            for (const step of changes[calls++] ?? []) {
              const meant = "add" in step ? step.add : content[step.remove];
              if (meant === undefined) continue;
              touched.add(tree.at(root.slice(tree.directory.length), "--p--", `${meant.name}.jsonl`));
              if ("add" in step) add(meant);
              else remove(meant);
            }
          } while (cursor !== undefined);
          const stable = before.sessions.map((row) => row.path).filter((path) => !touched.has(path));
          expect(paged.filter((path) => !touched.has(path))).toEqual(stable);
        },
      ),
      { numRuns: 150 },
    );
  });

  test("goes on behind a row that was removed after it was returned", async () => {
    const tree = scratch();
    const named = ["a", "b", "c"].map((name) => ({ name, id: name, timestamp: "2026-05-01", cwd: "/srv" }));
    const { root, remove } = storeOf(tree, named);
    const { nextCursor } = await listSessions({ limit: 2 }, { sessionsRoot: root });
    if (named[1] !== undefined) remove(named[1]);
    const page = await listSessions({ limit: 2, cursor: nextCursor }, { sessionsRoot: root });
    expect(page.sessions.map(({ id }) => id)).toEqual(["c"]);
    expect(page).not.toHaveProperty("nextCursor");
  });

  test("gives a cursor only when the limit left rows out", async () => {
    const tree = scratch();
    const { root } = storeOf(
      tree,
      ["a", "b"].map((name) => ({ name, id: name, timestamp: "2026-05-01", cwd: "/srv" })),
    );
    expect((await listSessions({ limit: 1 }, { sessionsRoot: root })).nextCursor).toBeTypeOf("string");
    expect(await listSessions({ limit: 2 }, { sessionsRoot: root })).not.toHaveProperty("nextCursor");
    expect(await listSessions({ limit: 1, cwds: ["/none"] }, { sessionsRoot: root })).not.toHaveProperty(
      "nextCursor",
    );
  });
});

describe("a cursor", () => {
  const places = [
    { name: "a", id: "same", timestamp: "2026-05-01T08:00:00Z", cwd: "/srv/日本-\ud800" },
    { name: "b", id: "same", timestamp: "2026-05-01T08:00:00Z", cwd: "/srv" },
  ];
  async function cursorOf(tree: Scratch, params: ListSessionsParams = {}) {
    const { root } = storeOf(tree, places);
    const { nextCursor } = await listSessions({ ...params, limit: 1 }, { sessionsRoot: root });
    return { options: { sessionsRoot: root }, cursor: nextCursor ?? "" };
  }
  const refused = (message: RegExp) =>
    expect.objectContaining({ name: "ParameterError", message: expect.stringMatching(message) });

  test("that is damaged in any character, shortened or lengthened throws, before the root is looked at", async () => {
    const { cursor } = await cursorOf(scratch(), { sortBy: "cwd" });
    const options = { sessionsRoot: "/absent" };
    const changed = [
      cursor.slice(1),
      cursor.slice(0, -1),
      `${cursor}A`,
      `${cursor}=`,
      ` ${cursor}`,
      "",
      "null",
      cursor + cursor,
    ];
    for (let at = 0; at < cursor.length; at++) {
      for (const char of "A7_=\n") {
        if (cursor[at] !== char) changed.push(cursor.slice(0, at) + char + cursor.slice(at + 1));
      }
    }
    for (const bad of changed) {
      const call = listSessions({ sortBy: "cwd", cursor: bad }, options);
      await expect(call, bad).rejects.toEqual(refused(/^cursor /));
    }
  });

  test.each<ListSessionsParams>([
    { cwds: ["/srv"] },
    { cwds: [] },
    { startTimestamp: "2026-01-01" },
    { endTimestamp: "2026-12-31" },
    { includeCurrentSession: true },
    { includeOrphans: true },
    { sortBy: "path" },
    { sortBy: "id" },
    { sortDirection: "desc" },
  ])("from a call without %j throws when it is used with it, and the other way round", async (other) => {
    const tree = scratch();
    const plain = await cursorOf(tree);
    const call = listSessions({ ...other, cursor: plain.cursor }, plain.options);
    await expect(call).rejects.toEqual(
      refused(/^cursor comes from a call with other filters or another order/),
    );
    const { cursor, options } = await cursorOf(tree, other);
    if (cursor !== "")
      await expect(listSessions({ cursor }, options)).rejects.toEqual(refused(/other filters/));
  });

  test("holds when the same selection is spelled otherwise, and with another limit", async () => {
    const { cursor, options } = await cursorOf(scratch(), { cwds: ["/srv", "/srv/日本-\ud800"] });
    const same: ListSessionsParams = {
      cwds: ["/srv/日本-\ud800/", "/srv//", "/srv"],
      cwdMatch: "exact",
      sortBy: "timestamp",
      sortDirection: "asc",
      includeOrphans: false,
      includeCurrentSession: false,
      limit: 50,
      cursor,
    };
    expect((await listSessions(same, options)).sessions).toHaveLength(1);
  });
});
