/**
 * Owns the samples of headers that cost a warning (contract: list_sessions, "Validation of a header"), with
 * what session_entries, which demands less, makes of the same bytes.
 */

import type { HeaderCase } from "./header-case.ts";
import { BOM, header, without } from "./header-case.ts";
import type { HeaderFault, JsonObject, RejectKind } from "./model.ts";
import type { LineBreak } from "./transcript.ts";

export function lineFaults(): HeaderCase[] {
  const good = JSON.stringify(header("h-shadow"));
  const entry =
    '{"type":"message","id":"g1","parentId":null,"timestamp":"2026-07-01T08:00:01.000Z","message":{}}';
  const asJson = (name: string, line: string): HeaderCase => ({
    name,
    rule: `validation: line 1 is JSON but no object: ${line}`,
    header: line,
    fault: "not-object",
    reject: "not-object",
  });
  const broken = (name: string, what: string, line: string | Buffer): HeaderCase => ({
    name,
    rule: `validation: line 1 is not JSON: ${what}`,
    header: line,
    fault: "not-json",
    reject: "not-json",
  });
  const blank = (name: string, what: string, line: string, eol: LineBreak, note?: string): HeaderCase => ({
    name,
    rule: `validation: line 1 blank: ${what}`,
    header: line,
    eol,
    fault: "blank",
    reject: "blank",
    ...(note === undefined ? {} : { note }),
  });
  const either = "Could be worded as not JSON or as empty; what matters is one warning and no row.";
  return [
    {
      name: "h-empty",
      rule: "validation: file empty",
      header: "",
      eol: "",
      alone: true,
      fault: "empty",
      reject: "empty",
    },
    {
      ...blank("h-blank", "a good header on line 2 does not count", "", "\n"),
      alone: true,
      header: `\n${good}`,
    },
    blank("h-blank-crlf", "CRLF alone", "", "\r\n"),
    { ...blank("h-blank-only", "the file is one line break", "", "\n"), alone: true },
    blank("h-blank-spaces", "white space only", " \t ", "\n", either),
    { ...blank("h-bom-only", "nothing after the BOM", BOM, "", either), alone: true },
    broken("h-torn", "torn", '{"type":"session","version":3,"id":"h-torn","timest'),
    broken("h-text", "plain text", "hello"),
    broken("h-nul", "a run of NUL bytes", Buffer.alloc(64)),
    broken("h-utf16", "UTF-16", Buffer.from(`${BOM}{}`, "utf16le")),
    broken("h-two-boms", "only one BOM is ignored", `${BOM}${BOM}${good}`),
    broken("h-glued", "a header glued to an entry; line 1 is never recovered", `${good}${entry}`),
    broken("h-comma", "something after the object", `${good},`),
    asJson("h-array", "[]"),
    asJson("h-string", '"session"'),
    asJson("h-number", "3"),
    asJson("h-null", "null"),
    asJson("h-true", "true"),
  ];
}

export function fieldFaults(): HeaderCase[] {
  const bad = (
    name: string,
    fault: HeaderFault,
    what: string,
    value: JsonObject,
    reject?: RejectKind,
  ): HeaderCase => ({
    name,
    rule: `validation: ${what}`,
    header: value,
    fault,
    ...(reject === undefined ? {} : { reject }),
  });
  const replace = (name: string, extra: JsonObject) => header(name, extra);
  return [
    bad(
      "h-type-other",
      "type",
      "type other than session",
      replace("h-type-other", { type: "message" }),
      "type",
    ),
    bad("h-type-case", "type", "type compares exactly", replace("h-type-case", { type: "Session" }), "type"),
    bad("h-type-none", "type", "type missing", without("h-type-none", "type"), "type"),
    bad("h-type-and-id", "type", "two faults, one warning", { type: "x", timestamp: "never" }, "type"),
    bad("h-id-none", "id", "id missing", without("h-id-none", "id")),
    bad("h-id-empty", "id", "id empty", replace("h-id-empty", { id: "" })),
    bad("h-id-number", "id", "id a number", replace("h-id-number", { id: 7 })),
    bad("h-id-null", "id", "id null", replace("h-id-null", { id: null })),
    {
      ...bad("h-id-proto", "id", "an id inherited from a __proto__ key is no id", {}),
      header: JSON.stringify(without("h-id-proto", "id")).replace("{", '{"__proto__":{"id":"ghost"},'),
    },
    bad("h-cwd-none", "cwd", "cwd missing", without("h-cwd-none", "cwd")),
    bad("h-cwd-empty", "cwd", "cwd empty", replace("h-cwd-empty", { cwd: "" })),
    bad("h-cwd-number", "cwd", "cwd a number", replace("h-cwd-number", { cwd: 1 })),
    bad("h-time-none", "timestamp", "timestamp missing", without("h-time-none", "timestamp")),
    bad(
      "h-time-word",
      "timestamp",
      "timestamp does not parse",
      replace("h-time-word", { timestamp: "yesterday" }),
    ),
    bad("h-time-empty", "timestamp", "timestamp empty", replace("h-time-empty", { timestamp: "" })),
    bad(
      "h-time-month",
      "timestamp",
      "month 13",
      replace("h-time-month", { timestamp: "2026-13-01T00:00:00Z" }),
    ),
    bad(
      "h-time-number",
      "timestamp",
      "timestamp no string",
      replace("h-time-number", { timestamp: 1782892800000 }),
    ),
    bad(
      "h-parent-number",
      "parent",
      "parentSession a number",
      replace("h-parent-number", { parentSession: 5 }),
    ),
    bad(
      "h-parent-object",
      "parent",
      "parentSession an object",
      replace("h-parent-object", { parentSession: {} }),
    ),
    {
      ...bad(
        "h-parent-null",
        "parent",
        "parentSession null",
        replace("h-parent-null", { parentSession: null }),
      ),
      note: 'Two readings: null as absent. In JSON null is present and no string; only "" counts as absent.',
    },
  ];
}
