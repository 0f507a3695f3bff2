/** Lines that are legal bytes and bad news, put between the lines of a good file. */
import type { Random } from "../../bench/random.ts";
import { entry, fileOf, header, userMessage } from "../../test/support/session-lines.ts";

const HAZARDS: readonly (string | Buffer)[] = [
  header(),
  header({ version: 1 }),
  userMessage("loop", "loop", "its own parent"),
  userMessage("x", "y", "a cycle") + userMessage("y", "x", "glued to its other half"),
  userMessage("a", null, "the same id again"),
  userMessage("__proto__", "constructor", "words"),
  '{"type":"message","type":"label","id":"dup","id":"a","parentId":null,"timestamp":"2026-05-01T08:00:00Z"}',
  '{"__proto__":{"type":"message"},"constructor":1,"id":"p","timestamp":"2026-05-01T08:00:00Z"}',
  entry("n", null, { big: 0 }).replace(
    '"big":0',
    '"big":1e999,"deep":-0,"long":123456789012345678901234567890',
  ),
  userMessage("s", null, "lone \ud800 surrogate"),
  '{"type":"message","id":"s2","parentId":null,"timestamp":"2026-05-01T08:00:00Z","message":{"role":"user","content":"\\ud83d"}}',
  Buffer.from([0xff, 0xfe, 0x7b, 0x7d]),
  Buffer.from([0xc3, 0x28, 0xed, 0xa0, 0x80]),
  Buffer.alloc(300),
  "\ufeff",
  `\ufeff${userMessage("bom", null, "behind a mark")}`,
  userMessage("u", null, "a\u2028b\u2029c\u0085d"),
  `${userMessage("cr", null, "lone return")}\r`,
  `[${"[".repeat(20_000)}`,
  `{"type":"message","id":"deep","parentId":null,"timestamp":"2026-05-01T08:00:00Z","x":${"[".repeat(2000)}${"]".repeat(2000)}}`,
  userMessage("t1", null, "one") +
    userMessage("t2", "t1", "two") +
    userMessage("t3", "t2", "three").slice(0, 60),
  userMessage("half", null, "torn in the middle").slice(30),
  userMessage("nul", null, "nul \0 inside").replace("\\u0000", "\0"),
  '{"type":"message","id":"c","parentId":null,"timestamp":"not a time","message":{"role":"user","content":"x"}}',
  '{"type":"session_info","id":"i","parentId":null,"timestamp":"2026-02-30T00:00:00Z","name":"\\u0000\\ud800"}',
  '{"type":"message","id":7,"parentId":[],"timestamp":"2026-05-01T08:00:00Z","message":{"role":"user","content":[null,7,{"type":"text"}]}}',
  '{"type":"message","id":"tool","parentId":null,"timestamp":"2026-05-01T08:00:00Z","message":{"role":"toolResult","content":[{"type":"text","text":"x"}]}}',
  "null",
  '"text"',
  "{}",
  "",
];

/** Between one and four hazards, each before some line of the file. */
export function insertHazards(bytes: Buffer, random: Random): Buffer {
  let parts = bytes.toString("latin1").split(/(?<=\n)/);
  for (let left = random.between(1, 4); left > 0; left--) {
    const hazard = random.pick(HAZARDS);
    const line = typeof hazard === "string" ? Buffer.from(fileOf(hazard)) : Buffer.concat([hazard, NEWLINE]);
    const at = random.between(random.chance(0.1) ? 0 : 1, parts.length);
    parts = [...parts.slice(0, at), line.toString("latin1"), ...parts.slice(at)];
  }
  return Buffer.from(parts.join(""), "latin1");
}

const NEWLINE = Buffer.from("\n");
