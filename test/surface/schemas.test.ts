import path from "node:path";
import type { Static } from "typebox";
import { Value } from "typebox/value";
import { describe, expect, expectTypeOf, it } from "vitest";
import * as library from "../../src/index.ts";
import type { ListSessionsParams, SessionEntriesOutput, SessionEntriesParams } from "../../src/model.ts";

const root = path.resolve(import.meta.dirname, "..", "..", "samples", "generated", "store");
const store = { sessionsRoot: root };

type Mutable<T> = T extends readonly (infer Item)[]
  ? Mutable<Item>[]
  : T extends object
    ? { -readonly [Key in keyof T]: Mutable<T[Key]> }
    : T;

describe("schemas", () => {
  it("accept every result of the sample store", async () => {
    const output = await library.listSessions({ includeOrphans: true, limit: 1000 }, store);
    expect(Value.Errors(library.ListSessionsOutputSchema, output)).toEqual([]);
    for (const row of output.sessions) {
      expect(Value.Check(library.SessionMetadataSchema, row)).toBe(true);
      const entries = await library
        .readSessionEntries({ sessionPath: row.path }, store)
        .catch((error: Error) => error);
      if (entries instanceof Error) {
        expect(entries.message).toMatch(/^not a Pi session file: /); // a version that only listing accepts
        continue;
      }
      expect(Value.Errors(library.SessionEntriesOutputSchema, entries), row.path).toEqual([]);
    }
  });

  it("refuse a damaged nested row, so the recursion is checked", () => {
    const row = { id: "a", path: "/a", timestamp: "t", cwd: "/", subagentSessions: [] };
    const damaged = { ...row, subagentSessions: [{ ...row, id: 1 }] };
    expect(Value.Check(library.SessionMetadataSchema, row)).toBe(true);
    expect(Value.Check(library.SessionMetadataSchema, damaged)).toBe(false);
  });

  it("refuse unknown parameters, empty arrays and empty strings", () => {
    for (const params of [{ unknown: 1 }, { cwds: [] }, { cwds: [""] }, { limit: 0 }, { limit: 1.5 }]) {
      expect(Value.Check(library.ListSessionsParamsSchema, params), JSON.stringify(params)).toBe(false);
    }
    for (const extra of [
      { ids: [] },
      { search: { terms: [] } },
      { search: { terms: [""] } },
      { startLineNo: 0 },
    ]) {
      const params = { sessionPath: "/a", ...extra };
      expect(Value.Check(library.SessionEntriesParamsSchema, params), JSON.stringify(params)).toBe(false);
    }
  });

  it("describe the same types as the model", () => {
    type ListParams = Static<typeof library.ListSessionsParamsSchema>;
    type EntriesParams = Static<typeof library.SessionEntriesParamsSchema>;
    type EntriesOutput = Static<typeof library.SessionEntriesOutputSchema>;
    expectTypeOf<keyof ListParams>().toEqualTypeOf<keyof ListSessionsParams>();
    expectTypeOf<ListParams>().toExtend<ListSessionsParams>();
    expectTypeOf<keyof EntriesParams>().toEqualTypeOf<keyof SessionEntriesParams>();
    expectTypeOf<EntriesParams>().toExtend<SessionEntriesParams>();
    expectTypeOf<EntriesOutput>().toExtend<SessionEntriesOutput>();
    expectTypeOf<Mutable<SessionEntriesOutput["warnings"]>>().toExtend<EntriesOutput["warnings"]>();
  });

  it("declare no format of a stored string", () => {
    const outputs = [library.ListSessionsOutputSchema, library.SessionEntriesOutputSchema];
    expect(JSON.stringify(outputs)).not.toContain('"format"');
  });
});
