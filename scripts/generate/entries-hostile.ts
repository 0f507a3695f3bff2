/**
 * Owns the samples of hostile characters and shapes: separators, surrogates, invalid UTF-8, property names of
 * the language, huge numbers, duplicate keys, depth (contract: proof.md "Hostile bytes"; session_entries).
 */
import { addEntries, startOf } from "./entries-lines.ts";
import type { SampleSet } from "./sample-set.ts";
import { entryOf, messageOf } from "./transcript.ts";

export function addHostile(set: SampleSet): void {
  addCharacters(set);
  addShapes(set);
}

function addCharacters(set: SampleSet): void {
  const open =
    '{"type":"message","id":"IDENT","parentId":null,"timestamp":"2026-06-01T09:20:00.000Z","message":';
  const line = (id: string, content: string) =>
    `${open.replace("IDENT", id)}{"role":"user","content":"${content}"}}`;
  const bytes = (id: string, inside: readonly number[]) => {
    const [head = "", tail = ""] = line(id, "left|right").split("|");
    return Buffer.concat([Buffer.from(head), Buffer.from(inside), Buffer.from(tail)]);
  };
  const lossy =
    "The contract is silent on invalid UTF-8: decoded as Pi does, one U+FFFD for each invalid sequence.";
  const bom = "\uFEFF";
  const t = startOf("characters")
    .rawEntry("U+2028 and U+2029 are data", line("x1", "a\u2028b\u2029c"), "a\u2028b\u2029c")
    .rawEntry("U+0085 is data", line("x2", "a\u0085b"), "a\u0085b")
    .rawEntry("an escaped line break is text", line("x3", "a\\nb\\r\\nc"), "a\nb\r\nc")
    .rawEntry("an escaped NUL is text", line("x4", "a\\u0000b"), "a\u0000b")
    .rawEntry("a lone surrogate escape is kept", line("x5", "half \\ud83d end"), "half \ud83d end")
    .rawEntry("surrogates in the wrong order are kept", line("x6", "\\ude00\\ud83d"), "\ude00\ud83d")
    .rawEntry("a surrogate pair as escapes", line("x7", "\\ud83d\\ude00"), "😀")
    .rawEntry("invalid UTF-8: FF", bytes("x8", [0xff]), "left\ufffdright", { note: lossy })
    .rawEntry("invalid UTF-8: truncated sequence", bytes("x9", [0xe2, 0x82]), "left\ufffdright", {
      note: lossy,
    })
    .rawEntry("invalid UTF-8: overlong slash", bytes("x10", [0xc0, 0xaf]), "left\ufffd\ufffdright", {
      note: lossy,
    })
    .rawEntry("a BOM inside a string is data", line("x11", `a${bom}b`), `a${bom}b`)
    .invalidJson(
      "a BOM is ignored on line 1 only",
      `${bom}{"type":"custom","timestamp":"2026-06-01T09:20:00.000Z"}`,
    )
    .rawEntry("white space alone is text and is not trimmed", line("x12", " \\n "), " \n ")
    .rawEntry("escape sequences of terminals are data", line("x13", "\\u001b[2Jgone"), "\u001b[2Jgone")
    .rawEntry(
      "Turkish, German and CJK letters",
      line("x14", "İstanbul STRASSE straße 検索"),
      "İstanbul STRASSE straße 検索",
    );
  addEntries(set, "characters", "text is never trimmed, cut or normalized", t);
}

function addShapes(set: SampleSet): void {
  const stampText = '"timestamp":"2026-06-01T09:30:00.000Z"';
  const ids = (id: string) => `"id":"${id}","parentId":null,${stampText}`;
  const deep = `${"[".repeat(2000)}${"]".repeat(2000)}`;
  const unknown = (id: string, type: string) => ({
    value: entryOf(type, id, null, { text: "x" }),
    text: null,
  });
  const role = (id: string, name: string) => ({
    value: messageOf(id, null, { role: name, content: "x", summary: "y", command: "z" }),
    text: null,
  });
  const t = startOf("shapes")
    .rawEntry("a __proto__ key is data", `{"__proto__":{"polluted":true},"type":"custom",${ids("s1")}}`, null)
    .rawEntry(
      "a constructor key is data",
      `{"constructor":{"prototype":{}},"type":"custom",${ids("s2")}}`,
      null,
    )
    .invalidEntry(
      "a type inherited from a __proto__ key is no type",
      `{"__proto__":{"type":"custom"},${ids("s3")}}`,
    )
    .rawEntry(
      "a role inherited from a __proto__ key is no role",
      `{"type":"message",${ids("s4")},"message":{"__proto__":{"role":"user","content":"x"},"content":"y"}}`,
      null,
    )
    .rawEntry(
      "content inherited from a __proto__ key is no content",
      `{"type":"message",${ids("s5")},"message":{"__proto__":{"content":"x"},"role":"user"}}`,
      null,
    )
    .entry("type constructor is unknown", unknown("s6", "constructor"))
    .entry("type __proto__ is unknown", unknown("s7", "__proto__"))
    .entry("type toString is unknown", unknown("s8", "toString"))
    .entry("role constructor is unknown", role("s9", "constructor"))
    .entry("role __proto__ is unknown", role("s10", "__proto__"))
    .entry("role hasOwnProperty is unknown", role("s11", "hasOwnProperty"))
    .rawEntry(
      "huge numbers",
      `{"type":"custom",${ids("s12")},"data":[1e400,-1e400,12345678901234567890,1e-400]}`,
      null,
    )
    .rawEntry(
      "duplicate keys: the last wins, as in JSON.parse",
      `{"type":"message","type":"custom",${ids("s13")}}`,
      null,
    )
    .rawEntry(
      "duplicate content: the last wins",
      `{"type":"message",${ids("s14")},"message":{"role":"user","content":"first","content":"second"}}`,
      "second",
    )
    .rawEntry("deep nesting as data", `{"type":"custom",${ids("s15")},"data":${deep}}`, null)
    .rawEntry(
      "deep nesting as content: no block, no text, no crash",
      `{"type":"message",${ids("s16")},"message":{"role":"user","content":${deep}}}`,
      null,
    )
    .invalidJson("deep nesting, torn", `{"type":"custom",${ids("s17")},"data":${"[".repeat(2000)}`);
  addEntries(set, "shapes", "no shape of input crashes or leaks into a prototype", t);
}
