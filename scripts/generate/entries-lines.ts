/**
 * Owns the samples of lines: versions, line ends, lines that become no entry (contract: session_entries
 * "Result" and "Which lines become entries"), and how a file of entry samples is added.
 */
import type { JsonObject } from "./model.ts";
import type { SampleSet } from "./sample-set.ts";
import { STORE, shapedName } from "./sample-set.ts";
import type { TranscriptOptions } from "./transcript.ts";
import { assistant, headerOf, jsonOf, messageOf, Transcript, user } from "./transcript.ts";

export const ENTRIES_CWD = "/srv/entries";

/** Adds a transcript to the project of entry samples, as a row too unless its header cannot be listed. */
export function addEntries(
  set: SampleSet,
  name: string,
  rule: string,
  transcript: Transcript,
  note?: string,
) {
  const path = `${STORE}/--srv-entries--/${shapedName("2026-06-01T09:00:00.000Z", name)}`;
  set.transcript(path, rule, transcript, note);
  set.row({
    path,
    id: name,
    timestamp: "2026-06-01T09:00:00.000Z",
    cwd: ENTRIES_CWD,
    rule: "a session file",
  });
}

export function startOf(name: string, extra: JsonObject = {}, options: TranscriptOptions = {}): Transcript {
  return new Transcript(headerOf(name, "2026-06-01T09:00:00.000Z", ENTRIES_CWD, extra), options);
}

export function addLines(set: SampleSet): void {
  addVersions(set);
  addBadLines(set);
  addLineEnds(set);
}

function addVersions(set: SampleSet): void {
  const said = (content: string): JsonObject => ({
    type: "message",
    timestamp: "2026-06-01T09:00:01.000Z",
    message: { role: "user", content },
  });
  const old = { value: said("An old question"), text: "An old question" };
  const oldIds = { value: { ...said("Stored ids"), id: "v1a", parentId: "v1z" }, text: "Stored ids" };
  const v1 = "version 1: one legacy_version warning (lineNo null, first), ids null";
  addEntries(
    set,
    "v1-linear",
    v1,
    startOf("v1-linear", { version: 1 }, { version: 1 })
      .entry("version 1: no ids stored", old)
      .entry("version 1: compaction with an index instead of an id", {
        value: {
          type: "compaction",
          timestamp: "2026-06-01T09:00:02.000Z",
          summary: "So far",
          firstKeptEntryIndex: 1,
        },
        text: "So far",
      })
      .invalidJson("version 1: a broken line costs its warning as in any version", '{"type":"message","time'),
  );
  addEntries(
    set,
    "v1-stored-ids",
    v1,
    startOf("v1-stored-ids", { version: 1 }, { version: 1 }).entry(
      "version 1: stored ids stay in raw only",
      oldIds,
    ),
  );
  const unversioned = {
    type: "session",
    id: "v1-missing",
    timestamp: "2026-06-01T09:00:00.000Z",
    cwd: ENTRIES_CWD,
  };
  addEntries(
    set,
    "v1-missing",
    "a missing version is 1",
    new Transcript(unversioned, { version: 1 }).entry("version 1: stored ids come back null", oldIds),
  );
  addEntries(
    set,
    "v2-hook",
    "version 2: ids are kept, no warning",
    startOf("v2-hook", { version: 2 }, { version: 2 })
      .entry("version 2: ids are kept", user("v2a", null, "Second version"))
      .entry(
        "version 2: the old role hookMessage is passed through verbatim",
        {
          value: messageOf("v2b", "v2a", { role: "hookMessage", content: "From a hook" }),
          text: "From a hook",
        },
        {
          note:
            "Two readings: an unknown role has no text. Pi renames hookMessage to custom when it " +
            "migrates, and the table gives custom its content, so the text is the content; the " +
            "role stays as stored.",
        },
      )
      .active("2:v2a", "3:v2b"),
  );
}

function addBadLines(set: SampleSet): void {
  const base = { id: "bad", parentId: null, timestamp: "2026-06-01T09:10:00.000Z" };
  const t = startOf("bad-lines")
    .invalidJson("line: not JSON", "this is no JSON")
    .invalidJson("line: blank", "")
    .invalidJson("line: white space only is not JSON either", "  \t ")
    .invalidJson("line: torn", '{"type":"message","id":"torn","parentId":null,"timest')
    .invalidJson("line: raw control character in a string", '{"type":"custom","data":"a\tb"}')
    .invalidJson("line: something after the object", `${jsonOf(user("b0", null, "x"))},`)
    .invalidEntry("line: JSON array", "[]")
    .invalidEntry("line: array of entries", `[${jsonOf(user("b1", null, "x"))}]`)
    .invalidEntry("line: JSON string", '"message"')
    .invalidEntry("line: JSON number", "42")
    .invalidEntry("line: JSON null", "null")
    .invalidEntry("line: JSON true", "true")
    .invalidEntry("line: empty object (no type)", "{}")
    .invalidEntry("type: missing", base)
    .invalidEntry("type: empty", { type: "", ...base })
    .invalidEntry("type: number", { type: 1, ...base })
    .invalidEntry("type: null", { type: null, ...base })
    .invalidEntry("type: session below line 1", headerOf("second", "2026-06-01T09:10:00.000Z", ENTRIES_CWD))
    .invalidEntry("timestamp: missing", { type: "custom", id: "bad", parentId: null })
    .invalidEntry("timestamp: does not parse", { ...base, type: "custom", timestamp: "soon" })
    .invalidEntry("timestamp: empty", { ...base, type: "custom", timestamp: "" })
    .invalidEntry("timestamp: number", { ...base, type: "custom", timestamp: 1780305000000 })
    .invalidEntry("timestamp: null", { ...base, type: "custom", timestamp: null })
    .invalidEntry("type and timestamp: two faults, one warning", { id: "bad", parentId: null })
    .entry("timestamp: February 30 is accepted", {
      value: { ...base, id: "b2", type: "custom", timestamp: "2026-02-30T10:00:00.000Z" },
      text: null,
    })
    .entry("timestamp: RFC 2822 is accepted", {
      value: { ...base, id: "b3", type: "custom", timestamp: "Mon, 05 Oct 2026 10:00:00 +0200" },
      text: null,
    })
    .rawEntry("JSON white space around the object", ` \t${jsonOf(user("b4", null, "Indented"))} `, "Indented")
    .active("28:b4");
  addEntries(set, "bad-lines", "one skipped line costs exactly one warning; line numbers never shift", t);
}

function addLineEnds(set: SampleSet): void {
  const rule = "a line ends at LF, CRLF or a lone CR";
  addEntries(
    set,
    "eol-mixed",
    rule,
    startOf("eol-mixed", {}, { headerEol: "\r\n" })
      .entry("LF", user("e1", null, "ended by LF"), { eol: "\n" })
      .entry("lone CR", user("e2", "e1", "ended by CR"), { eol: "\r" })
      .entry("CRLF is one line end", user("e3", "e2", "ended by CRLF"), { eol: "\r\n" })
      .entry("CR before a CR", user("e4", "e3", "ended by CR"), { eol: "\r" })
      .invalidJson("CR CR: a blank line between", "", { eol: "\r" })
      .entry("LF before a CR", user("e5", "e4", "ended by LF"), { eol: "\n" })
      .invalidJson("LF CR: a blank line between, ended by the CR", "", { eol: "\r" })
      .entry("CR before a CRLF", user("e6", "e5", "ended by CR"), { eol: "\r" })
      .invalidJson("CR CRLF: a blank line between", "", { eol: "\r\n" })
      .invalidJson("a raw CR inside a string splits the line: first half", '{"type":"custom","data":"a', {
        eol: "\r",
      })
      .invalidJson("a raw CR inside a string splits the line: second half", 'b"}')
      .entry("a final CR makes no further line", user("e7", "e6", "last"), { eol: "\r" })
      .active("2:e1", "3:e2", "4:e3", "5:e4", "7:e5", "9:e6", "13:e7"),
  );
  addEntries(
    set,
    "eol-cr",
    "a file with lone CRs only",
    startOf("eol-cr", {}, { headerEol: "\r" })
      .entry("lone CR", user("c1", null, "one"), { eol: "\r" })
      .entry("lone CR at the end", assistant("c2", "c1", "two"), { eol: "\r" }),
    "Listing: see h-cr.",
  );
  addEntries(
    set,
    "eol-none",
    "a last line without line break is read",
    startOf("eol-none").entry("no final line break", user("n1", null, "unfinished?"), { eol: "" }),
  );
  addEntries(
    set,
    "eol-blank-tail",
    "a final line break makes no further line",
    startOf("eol-blank-tail")
      .entry("LF", user("t1", null, "one"))
      .invalidJson("LF LF at the end: one blank line, not two", ""),
  );
  addEntries(
    set,
    "eol-nul-tail",
    "preallocated bytes after a crash",
    startOf("eol-nul-tail")
      .entry("LF", user("z1", null, "one"))
      .invalidJson("a NUL run is a line that is not JSON", Buffer.alloc(32))
      .invalidJson("a NUL run at the end, without line break", Buffer.alloc(32), { eol: "" }),
  );
  addEntries(
    set,
    "header-only",
    "a header and nothing else: no entries, no warnings",
    startOf("header-only"),
  );
  addEntries(
    set,
    "header-only-open",
    "a header without line break: no entries, no warnings",
    startOf("header-only-open", {}, { headerEol: "" }),
  );
}
