/**
 * Owns the samples of glued lines: what is recovered and what must not be (contract: session_entries, the
 * paragraph on glued entries below "Which lines become entries").
 */
import { addEntries, startOf } from "./entries-lines.ts";
import type { SampleSet } from "./sample-set.ts";
import type { Part } from "./transcript.ts";
import { assistant, entryOf, headerOf, jsonOf, user } from "./transcript.ts";

const NULS = "\u0000".repeat(16);

export function addGlued(set: SampleSet): void {
  addWhole(set);
  addTorn(set);
  addRefused(set);
  addLegacy(set);
}

let count = 0;

/** Whole entries for one line, with ids of their own. */
function parts(number: number): Part[] {
  return Array.from({ length: number }, () => {
    count += 1;
    return count % 2 === 0
      ? assistant(`g${count}`, null, `Answer ${count}`)
      : user(`g${count}`, `p${count}`, "Ask");
  });
}

function pick(list: readonly Part[], index: number): Part {
  const part = list[index];
  if (part === undefined) throw new Error(`no part ${index}`);
  return part;
}

function addWhole(set: SampleSet): void {
  const t = startOf("glued-whole").entry("an ordinary line first", user("first", null, "Line 2"));
  const whole = (rule: string, list: readonly Part[], between: string, note?: string, tail = "") =>
    t.recovered(rule, list.map(jsonOf).join(between) + tail, list, note === undefined ? {} : { note });
  whole("A + B", parts(2), "");
  whole("A + B + C", parts(3), "");
  whole("A + space + B", parts(2), " ");
  whole(
    "A + NUL run + B",
    parts(2),
    NULS,
    "The lost line break may have left NUL bytes; both entries are complete.",
  );
  whole(
    "A + B + space",
    parts(2),
    "",
    "Two readings: the last entry does not end the line. Trailing JSON white space.",
    " ",
  );
  const twice = pick(parts(1), 0);
  whole("A + A: the same entry twice gives two rows", [twice, twice], "");
  const quoting: Part = {
    value: entryOf("custom_message", "quote", "first", { content: `Quoted: ${jsonOf(twice)} } { "` }),
    text: `Quoted: ${jsonOf(twice)} } { "`,
  };
  whole("A quotes an entry in its text; only A and B", [quoting, ...parts(1)], "");
  whole("B quotes an entry in its text; only A and B", [...parts(1), quoting], "");
  const holding: Part = {
    value: entryOf("custom", "holder", "first", { data: JSON.parse(jsonOf(twice)) as unknown }),
    text: null,
  };
  whole("an entry nested in a complete entry is its data, not an entry", [...parts(1), holding], "");
  whole("the same with the holder first", [holding, ...parts(1)], "");
  const odd: Part = {
    value: {
      anything: [1],
      timestamp: "2026-02-30T10:00:00.000Z",
      parentId: "first",
      id: "odd",
      type: "unknown_type",
    },
    text: null,
  };
  whole("keys in any order, unknown type, odd timestamp", [odd, ...parts(1)], "");
  t.entry("an ordinary line last keeps its number", user("last", "first", "Last line"));
  addEntries(set, "glued-whole", "complete entries glued by a lost line break are all returned", t);
}

function addTorn(set: SampleSet): void {
  const t = startOf("glued-torn");
  const base = '{"type":"message","id":"torn","parentId":null,"timestamp":"2026-06-01T10:00:00.000Z"';
  const torn = (rule: string, start: string | Buffer, number = 1, note?: string) => {
    const list = parts(number);
    const line = Buffer.concat([Buffer.from(start as string), Buffer.from(list.map(jsonOf).join(""))]);
    t.recovered(rule, line, list, note === undefined ? {} : { note });
  };
  const text = `${base},"message":{"role":"user","content":"`;
  torn("A torn inside a string + B", `${text}half a sente`);
  torn("A torn right after the opening quote + B", text);
  torn("A torn right before a quote + B", `${base},"message":{"role":"user","content":`);
  torn("A torn inside a key + B", `${base},"mess`);
  torn(
    "A torn after a colon + B",
    `${base},"message":`,
    1,
    "Bytes alike to a torn holder of B; B is returned.",
  );
  torn("A torn after a comma + B", `${base},`);
  torn("A torn in a number + B", `${base},"count":17803`);
  torn("A torn in a literal + B", `${base},"flag":tru`);
  torn(
    "A torn after a backslash + B",
    `${text}C:\\`,
    1,
    "The backslash is A's; B's own quotes are unescaped.",
  );
  torn("A torn in a \\u escape + B", `${text}caf\\u00`);
  torn("A torn after an escaped quote + B", `${text}he said \\"`);
  torn("A torn after an opening bracket + B", `${base},"message":{"role":"user","content":[`);
  torn("A torn after its first byte + B", "{");
  torn(
    "A torn inside an UTF-8 sequence + B",
    Buffer.concat([Buffer.from(`${text}caf`), Buffer.from([0xc3])]),
  );
  torn("A torn inside a string full of braces + B", `${text}if (x) { y = \\"}\\"; } else {`);
  torn("A torn while it quotes an entry + B", `${text}see ${JSON.stringify(base).slice(1, -1)}} and`);
  torn("torn A + B + C", `${text}half`, 2);
  torn("NUL run + B", NULS);
  torn("A torn + NUL run + B", `${text}half${NULS}`);
  torn("the end of a lost entry + B", 'entence"}}', 1, "Its start is gone; B is complete and ends the line.");
  torn(
    "BOM + B below line 1",
    "\uFEFF",
    1,
    [
      "Two readings: invalid_json, because a BOM is ignored on line 1 only. Nor is it ignored here: it makes",
      "the line",
      "unparseable, and behind it stands a complete entry that ends the line, as behind a NUL run.",
    ].join(" "),
  );
  addMiddle(t, base, text);
  addEntries(
    set,
    "glued-torn",
    "a torn start followed by complete entries: the complete ones are returned",
    t,
  );
}

/** Lines with something torn between complete entries. */
function addMiddle(t: ReturnType<typeof startOf>, base: string, text: string): void {
  const two = parts(2);
  const around = (middle: string) => jsonOf(pick(two, 0)) + middle + jsonOf(pick(two, 1));
  t.recovered("A + torn B + C", around(`${text}half`), two);
  const ends = parts(2);
  t.recovered(
    "torn A + B + torn C + D",
    `${text}half${jsonOf(pick(ends, 0))}${base},"mess${jsonOf(pick(ends, 1))}`,
    ends,
    { note: "Every complete entry object is returned: B stands unescaped and the start of C follows it." },
  );
  const last = parts(1);
  const inner = jsonOf(user("inner", null, "Nested in a torn entry"));
  t.recovered(
    "torn A that holds a nested object with all four fields and goes on + B",
    `${base},"data":${inner},"more":"te${last.map(jsonOf).join("")}`,
    last,
    {
      note: "The nested object is followed by the rest of its holder: A's data and no entry of the file.",
    },
  );
  const kept = parts(1);
  t.recovered(
    "a complete object that is no entry (no id) + B",
    `{"type":"custom","parentId":null,"timestamp":"2026-06-01T10:00:00.000Z"}${kept.map(jsonOf).join("")}`,
    kept,
  );
  const after = parts(1);
  t.recovered(
    "a header + B below line 1",
    JSON.stringify(headerOf("again", "2026-06-01T10:00:00.000Z", "/srv/entries")) +
      after.map(jsonOf).join(""),
    after,
    { note: "One line costs one warning: recovered_entry, no invalid_entry for the header." },
  );
}

function addRefused(set: SampleSet): void {
  const t = startOf("glued-refused");
  const stampText = '"timestamp":"2026-06-01T10:30:00.000Z"';
  const base = `{"type":"message","id":"torn","parentId":null,${stampText}`;
  const text = `${base},"message":{"role":"user","content":"`;
  const a = () => parts(1).map(jsonOf).join("");
  const quoted = JSON.stringify(a()).slice(1, -1);
  const refuse = (rule: string, line: string, note?: string) =>
    t.invalidJson(rule, line, note === undefined ? {} : { note });
  refuse("A + torn B: the last one does not end at the line's end", `${a()}${text}half`);
  refuse("A + B + torn C", `${a()}${a()}${base},"mess`);
  refuse("A + text", `${a()} and so on`);
  refuse("A + closing brace", `${a()}}`);
  refuse("a torn line that quotes an entry in escaped form, torn right behind it", `${text}look: ${quoted}`);
  refuse("the same, torn later", `${text}look: ${quoted} and`);
  refuse("the same, with the closing quote and braces of its holder but the start lost", `ook: ${quoted}"}}`);
  refuse("an entry quoted twice escaped", `${text}${JSON.stringify(quoted).slice(1, -1)}`);
  refuse("a nested object with all four fields, and more text", `${base},"data":${a()},"more":"te`);
  refuse("a nested object, and its holder's end with the start lost", `"data":${a()}}`);
  refuse("two complete objects without id", `{"type":"custom",${stampText}}{"type":"custom",${stampText}}`);
  refuse("A + B, B without id", `${a()}{"type":"custom","parentId":null,${stampText}}`);
  refuse("A + B, B without parentId", `${a()}{"type":"custom","id":"b",${stampText}}`);
  refuse("A + B, B without timestamp", `${a()}{"type":"custom","id":"b","parentId":null}`);
  refuse("A + B, B without type", `${a()}{"id":"b","parentId":null,${stampText}}`);
  refuse(
    "A + B, B's timestamp does not parse",
    `${a()}{"type":"x","id":"b","parentId":null,"timestamp":"never"}`,
  );
  refuse("A + B, B's id a number", `${a()}{"type":"x","id":7,"parentId":null,${stampText}}`);
  refuse("A + B, B's parentId a number", `${a()}{"type":"x","id":"b","parentId":7,${stampText}}`);
  refuse("A + B, B of type session", `${a()}{"type":"session","id":"b","parentId":null,${stampText}}`);
  refuse(
    "A + a header",
    a() + JSON.stringify(headerOf("second", "2026-06-01T10:30:00.000Z", "/srv/entries")),
    "By the letter: the last recovered entry must end the line, so A is not returned either.",
  );
  refuse("A + a number", `${a()}42`);
  refuse("torn A + torn B", `${text}half${base},"mess`);
  t.entry("an ordinary line last keeps its number", user("end", null, "Last line"));
  addEntries(set, "glued-refused", "lines that only look like glued entries: one invalid_json each", t);
}

function addLegacy(set: SampleSet): void {
  const bare =
    '{"type":"message","timestamp":"2026-06-01T10:40:00.000Z","message":{"role":"user","content":"old"}}';
  const pair = parts(2).map(jsonOf).join("");
  const t = startOf("glued-v1", { version: 1 }, { version: 1 })
    .rawEntry("version 1: an ordinary line", bare, "old")
    .invalidJson("version 1: glued entries have no id and parentId, so none is recovered", bare + bare)
    .invalidJson("version 1: glued entries that store ids", pair, {
      note: "Two readings: the objects do have all four fields. In version 1 stored ids count as none.",
    });
  addEntries(set, "glued-v1", "version 1: no recovery", t);
  const v2 = parts(2);
  const second = startOf("glued-v2", { version: 2 }, { version: 2 });
  second.recovered("version 2: recovered as in version 3", v2.map(jsonOf).join(""), v2);
  addEntries(set, "glued-v2", "version 2: recovery", second);
}
