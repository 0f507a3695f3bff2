/**
 * Owns the samples of line 1: what is accepted, how long it may be, which versions are read; each is judged
 * by the listing and by session_entries (contract: list_sessions discovery 6, session_entries "Header").
 */

import type { HeaderCase } from "./header-case.ts";
import { BOM, CWD, header, timeOf, without } from "./header-case.ts";
import { fieldFaults, lineFaults } from "./header-faults.ts";
import type { SampleSet } from "./sample-set.ts";
import { STORE, shapedName } from "./sample-set.ts";
import type { LineBreak } from "./transcript.ts";
import { plainTranscript, Transcript } from "./transcript.ts";

const DIR = `${STORE}/--srv-headers--`;
const LIMIT = 4096;

export function addHeaders(set: SampleSet): void {
  const cases = [...lineFaults(), ...fieldFaults(), ...accepted(), ...lengths(), ...versions()];
  for (const [index, one] of cases.entries()) addCase(set, one, index);
}

function addCase(set: SampleSet, one: HeaderCase, index: number): void {
  const path = `${DIR}/${shapedName(`2026-07-01T07:00:00.${String(index).padStart(3, "0")}Z`, one.name)}`;
  const options = {
    headerEol: one.eol ?? "\n",
    ...(one.reject === undefined ? {} : { reject: one.reject }),
    ...(one.version === undefined ? {} : { version: one.version }),
  };
  const make =
    one.alone === true ? new Transcript(one.header, options) : plainTranscript(one.header, options);
  set.transcript(path, one.rule, make, one.note);
  const note = one.note === undefined ? {} : { note: one.note };
  if (one.fault !== undefined) {
    set.warning(path, one.fault, one.rule, note);
    return;
  }
  set.row({
    path,
    id: one.name,
    timestamp: one.timestamp ?? timeOf(one.name),
    cwd: CWD,
    ...(one.parentSession === undefined ? {} : { parentSessionPath: one.parentSession }),
    rule: one.rule,
    ...note,
  });
}

function accepted(): HeaderCase[] {
  const time = (name: string, timestamp: string, what: string): HeaderCase => ({
    name,
    rule: `shared rule 3: ${what}; returned unchanged`,
    header: header(name, { timestamp }),
    timestamp,
  });
  const lineage = (name: string, parentSession: string, what: string): HeaderCase => ({
    name,
    rule: `validation: parentSession ${what}`,
    header: header(name, { parentSession }),
    ...(parentSession === "" ? {} : { parentSession }),
  });
  return [
    {
      name: "h-bom",
      rule: "discovery 6: a BOM before line 1 is ignored",
      header: `${BOM}${JSON.stringify(header("h-bom"))}`,
    },
    { name: "h-crlf", rule: "discovery 6: CRLF", header: header("h-crlf"), eol: "\r\n" },
    {
      name: "h-spaces",
      rule: "JSON white space around the object",
      header: ` \t${JSON.stringify(header("h-spaces"))} `,
    },
    {
      name: "h-no-newline",
      rule: "discovery 6: the only line, without a final line break, is read",
      header: header("h-no-newline"),
      eol: "",
      alone: true,
    },
    {
      name: "h-cr",
      rule: "discovery 6 with session_entries: a lone CR ends a line, so line 1 ends there",
      header: header("h-cr"),
      eol: "\r",
      note:
        "Two readings: rule 6 speaks of the LF alone, which would make this line 1 unparseable. " +
        "One module turns bytes into lines and a lone CR ends one, so: a row.",
    },
    {
      name: "h-extra",
      rule: "validation: unknown fields are no fault",
      header: header("h-extra", { constructor: 1, title: "x", nested: { type: "message" } }),
    },
    time("h-feb-30", "2026-02-30T10:00:00.000Z", "February 30 is accepted and sorts as March 2"),
    time("h-rfc", "Mon, 05 Oct 2026 10:00:00 +0200", "an RFC 2822 date is accepted"),
    time("h-date-only", "2026-05-05", "a bare date is accepted, as Date.parse reads it (UTC)"),
    time(
      "h-offset",
      "2026-05-05T01:30:00+02:00",
      "an offset; sorts by instant (May 4, 23:30 UTC), not by string",
    ),
    lineage("h-parent", "/srv/elsewhere/2026-01-01T00-00-00-000Z_origin.jsonl", "verbatim, not checked"),
    lineage("h-parent-relative", "../origin.jsonl", "relative: verbatim, not resolved"),
    lineage("h-parent-empty", "", "empty: absent"),
  ];
}

/** A header line of exactly `bytes` bytes; `prefix` counts. */
function padded(name: string, bytes: number, prefix = ""): string {
  const bare = Buffer.byteLength(prefix + JSON.stringify(header(name, { pad: "" })));
  return prefix + JSON.stringify(header(name, { pad: "p".repeat(bytes - bare) }));
}

function lengths(): HeaderCase[] {
  const long = (
    name: string,
    bytes: number,
    eol: LineBreak,
    ok: boolean,
    what: string,
    prefix = "",
  ): HeaderCase => ({
    name,
    rule: `discovery 6: ${what}`,
    header: padded(name, bytes, prefix),
    eol,
    ...(ok ? {} : { fault: "too-long" as const }),
    ...(eol === "" ? { alone: true as const } : {}),
  });
  return [
    long("h-4096", LIMIT, "\n", true, "exactly 4,096 bytes before the LF are accepted"),
    long("h-4097", LIMIT + 1, "\n", false, "4,097 bytes before the LF are skipped"),
    long("h-4095-crlf", LIMIT - 1, "\r\n", true, "the CR counts: 4,095 + CR is 4,096"),
    long("h-4096-crlf", LIMIT, "\r\n", false, "the CR counts: 4,096 + CR is 4,097"),
    long("h-4096-bom", LIMIT, "\n", true, "the BOM counts: 3 + 4,093", BOM),
    long("h-4097-bom", LIMIT + 1, "\n", false, "the BOM counts: 3 + 4,094", BOM),
    long("h-4096-end", LIMIT, "", true, "4,096 bytes and no line break"),
    long("h-4097-end", LIMIT + 1, "", false, "4,097 bytes and no line break"),
  ];
}

/** The listing does not look at the version; session_entries does. */
function versions(): HeaderCase[] {
  const version = (name: string, value: unknown, what: string, note?: string): HeaderCase => ({
    name,
    rule: `session_entries header: version ${what} is rejected; the listing does not look at it`,
    header: header(name, { version: value }),
    reject: "version",
    ...(note === undefined ? {} : { note }),
  });
  return [
    version("h-version-0", 0, "0"),
    version("h-version-minus", -1, "-1"),
    version("h-version-half", 1.5, "1.5"),
    version("h-version-string", "3", "of type string"),
    version("h-version-true", true, "true"),
    version(
      "h-version-null",
      null,
      "null",
      "Two readings: null as missing. It is present and no positive integer.",
    ),
    {
      name: "h-version-99",
      rule: "session_entries header: a later version is a positive integer and is read",
      header: header("h-version-99", { version: 99 }),
      version: 99,
    },
    {
      name: "h-version-none",
      rule: "session_entries: a missing version is 1",
      header: without("h-version-none", "version"),
      version: 1,
    },
  ];
}
