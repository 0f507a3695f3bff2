/**
 * Owns the samples of `text`: every row of the contract's table, well formed and malformed (contract:
 * session_entries "text: the entry's own words").
 */
import { addEntries } from "./entries-lines.ts";
import type { SampleSet } from "./sample-set.ts";
import { TextSamples } from "./text-samples.ts";

const IMAGE = { type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" };
const THINKING = { type: "thinking", thinking: "I must not be shown", thinkingSignature: "sig" };
const CALL = { type: "toolCall", id: "call_1", name: "bash", arguments: { command: "ls", text: "not text" } };

function block(text: unknown): object {
  return { type: "text", text };
}

export function addTexts(set: SampleSet): void {
  addMessages(set);
  addContents(set);
  addSystem(set);
  addOtherEntries(set);
}

function addMessages(set: SampleSet): void {
  const say = (role: string, content: unknown) => ({ role, content, timestamp: 1780304400000 });
  const t = new TextSamples("text-messages", "m")
    .message("user: string", say("user", "Plain question"), "Plain question")
    .message(
      "user: blocks, joined by a line break",
      say("user", [block("one"), IMAGE, block("two")]),
      "one\ntwo",
    )
    .message(
      "assistant: no thinking, no tool call",
      say("assistant", [THINKING, block("a"), CALL, block("b")]),
      "a\nb",
    )
    .message("assistant: nothing but thinking and a call", say("assistant", [THINKING, CALL]), null)
    .message("assistant: a string", say("assistant", "old style"), "old style")
    .message(
      "toolResult: blocks",
      { ...say("toolResult", [block("out")]), toolName: "bash", isError: false },
      "out",
    )
    .message("toolResult: string", { ...say("toolResult", "out"), details: { text: "no" } }, "out")
    .message("custom: string", { ...say("custom", "injected"), customType: "x", display: true }, "injected")
    .message("custom: blocks", say("custom", [block("in"), block("jected")]), "in\njected")
    .message(
      "bashExecution: its command, never its output",
      {
        role: "bashExecution",
        command: "ls -la /srv",
        output: "total 0",
        exitCode: 0,
        content: "not this",
      },
      "ls -la /srv",
    )
    .message("bashExecution: empty command", { role: "bashExecution", command: "", output: "x" }, null)
    .message("bashExecution: no command", { role: "bashExecution", output: "x" }, null)
    .message("bashExecution: command no string", { role: "bashExecution", command: ["ls"] }, null)
    .message(
      "branchSummary: the summary",
      { role: "branchSummary", summary: "Tried A", fromId: "m1" },
      "Tried A",
    )
    .message("branchSummary: empty", { role: "branchSummary", summary: "" }, null)
    .message("compactionSummary: the summary", { role: "compactionSummary", summary: "So far" }, "So far")
    .message("compactionSummary: no string", { role: "compactionSummary", summary: { text: "x" } }, null)
    .message("unknown role: passes through, no text", say("oracle", "Delphi"), null)
    .message("role is compared exactly", say("User", "upper case"), null)
    .message("role missing: null", { content: "whose?" }, null)
    .message("role number: null", { role: 1, content: "whose?" }, null)
    .message("role empty: a string, so verbatim", { role: "", content: "whose?" }, null)
    .message("message null", null, null)
    .message("message a string", "user", null)
    .message("message an array", [say("user", "x")], null)
    .entry("message missing", "message", {}, null)
    .entry("messageRole only for type message", "custom", { message: say("user", "x") }, null);
  addEntries(set, "text-messages", "text of messages by role", t.transcript);
}

function addContents(set: SampleSet): void {
  const t = new TextSamples("text-contents", "c");
  const user = (rule: string, content: unknown, text: string | null, note?: string) =>
    t.message(`content: ${rule}`, { role: "user", content }, text, note);
  user("empty string", "", null);
  user("empty array", [], null);
  user("null", null, null);
  user("number", 7, null);
  user("true", true, null);
  user("an object, though it looks like a block", block("x"), null);
  t.message("content: missing", { role: "user" }, null);
  user("one empty text", [block("")], null);
  user("empty texts make no separators", [block(""), block("a"), block(""), block("b"), block("")], "a\nb");
  user("never trimmed", [block("  a "), block("\n")], "  a \n\n");
  user("block null", [null, block("a")], "a");
  user("block number", [7, block("a")], "a");
  user("a bare string is no block", ["bare", block("a")], "a");
  user("block array", [[block("inner")], block("a")], "a");
  user("block without type", [{ text: "typeless" }, block("a")], "a");
  user("block type compared exactly", [{ type: "Text", text: "x" }, block("a")], "a");
  user("text missing", [{ type: "text" }, block("a")], "a");
  user("text number", [block(5), block("a")], "a");
  user("text null", [block(null), block("a")], "a");
  user("text object", [block({ text: "x" }), block("a")], "a");
  user("nothing but malformed blocks", [null, 7, [], {}, block(false)], null);
  user("an image with a text field", [{ ...IMAGE, text: "alt" }, block("a")], "a");
  user("extra fields of a text block do not matter", [{ ...block("a"), textSignature: "s" }], "a");
  user("JSON in a text is text", '{"type":"message","id":"x"}', '{"type":"message","id":"x"}');
  addEntries(set, "text-contents", "text of content: strings, blocks, malformed shapes", t.transcript);
}

function addSystem(set: SampleSet): void {
  const t = new TextSamples("text-system", "y");
  const system = (rule: string, message: object, text: string | null, note?: string) =>
    t.message(`system: ${rule}`, { role: "system", timestamp: 1780304400000, ...message }, text, note);
  const tools = [{ name: "read", description: "Reads", parameters: {} }];
  system(
    "content empty, sections in stored order, joined by a blank line",
    {
      content: "",
      sections: { preamble: "You help.", tools: "<tools/>", cwd: "/srv/app" },
      toolsAdded: tools,
    },
    "You help.\n\n<tools/>\n\n/srv/app",
  );
  system("content first", { content: "Base", sections: { zeta: "Z", alpha: "A" } }, "Base\n\nZ\n\nA");
  system(
    "null and empty sections leave no separators",
    {
      content: "Base",
      sections: { a: "A", gone: null, empty: "", b: "B" },
    },
    "Base\n\nA\n\nB",
  );
  system("a patch: that message's own state", { content: "", sections: { skills: "S", old: null } }, "S");
  system("a patch that only removes", { content: "", sections: { old: null, older: null } }, null);
  system("toolsAdded only", { content: "", toolsAdded: tools, toolsRemoved: [{ name: "write" }] }, null);
  system(
    "content blocks are joined by a line break, then sections",
    {
      content: [block("one"), block("two")],
      sections: { a: "A" },
    },
    "one\ntwo\n\nA",
  );
  system("content only", { content: "Only this" }, "Only this");
  system("content null", { content: null, sections: { a: "A" } }, "A");
  system("content missing", { sections: { a: "A" } }, "A");
  system("empty sections", { content: "Base", sections: {} }, "Base");
  system("sections null", { content: "Base", sections: null }, "Base");
  system("sections number", { content: "Base", sections: 5 }, "Base");
  system(
    "sections a string: malformed, not its letters",
    { content: "Base", sections: "ab" },
    "Base",
    "Object.values would give the letters; sections is no object here, so it is ignored.",
  );
  system(
    "a section that is no string",
    { content: "", sections: { n: 5, o: { text: "x" }, a: "A", l: ["x"] } },
    "A",
  );
  system("a section is not trimmed", { content: " ", sections: { a: "\n" } }, " \n\n\n");
  system(
    "an empty text block",
    { content: [block(""), block("a")], sections: {} },
    "a",
    "Pi's getSystemMessageText gives a line break before a; the contract forbids bare separators.",
  );
  const hostile =
    '{"type":"message","id":"y99","parentId":null,"timestamp":"2026-06-01T09:50:00.000Z",' +
    '"message":{"role":"system","content":"","sections":{"__proto__":"P","constructor":"C"}}}';
  t.transcript.rawEntry("system: sections named like properties are sections", hostile, "P\n\nC");
  addEntries(set, "text-system", "text of system messages", t.transcript);
}

function addOtherEntries(set: SampleSet): void {
  const checkpoint = { role: "system", content: "Checkpoint", timestamp: 1780304400000 };
  const kept = { firstKeptEntryId: "o1", tokensBefore: 100 };
  const usage = { kind: "cache_warm", provider: "p", model: "m", usage: { input: 0, output: 0 } };
  const t = new TextSamples("text-entries", "o")
    .entry(
      "compaction: the summary alone",
      "compaction",
      { summary: "Sum", ...kept, systemMessage: checkpoint },
      "Sum",
    )
    .entry("compaction: empty summary", "compaction", { summary: "", ...kept }, null)
    .entry("compaction: no summary", "compaction", kept, null)
    .entry("branch_summary: the summary", "branch_summary", { summary: "Left", fromId: "o1" }, "Left")
    .entry("branch_summary: summary no string", "branch_summary", { summary: 5, fromId: "o1" }, null)
    .entry(
      "custom_message: string",
      "custom_message",
      { customType: "x", content: "Inject", display: true },
      "Inject",
    )
    .entry(
      "custom_message: blocks",
      "custom_message",
      { content: [block("a"), IMAGE, null, block("b")] },
      "a\nb",
    )
    .entry("custom_message: empty", "custom_message", { content: "" }, null)
    .entry("custom_message: no content", "custom_message", { details: { text: "x" } }, null)
    .entry("context_edit: removes", "context_edit", { targetId: "o1", replacement: null }, null)
    .entry("context_edit: string", "context_edit", { targetId: "o1", replacement: { content: "New" } }, "New")
    .entry(
      "context_edit: blocks",
      "context_edit",
      {
        targetId: "o1",
        replacement: { content: [block("n"), IMAGE, block("w")] },
      },
      "n\nw",
    )
    .entry("context_edit: no replacement", "context_edit", { targetId: "o1" }, null)
    .entry(
      "context_edit: replacement without content",
      "context_edit",
      { targetId: "o1", replacement: {} },
      null,
    )
    .entry(
      "context_edit: a bare string has no content",
      "context_edit",
      { targetId: "o1", replacement: "x" },
      null,
    )
    .entry("session_info: name", "session_info", { name: "Refactor auth" }, "Refactor auth")
    .entry("session_info: empty name", "session_info", { name: "" }, null)
    .entry("session_info: no name", "session_info", {}, null)
    .entry("usage: note", "usage", { ...usage, note: "warmed" }, "warmed")
    .entry("usage: no note", "usage", usage, null)
    .entry("usage: note no string", "usage", { ...usage, note: { text: "x" } }, null)
    .entry("label: label", "label", { targetId: "o1", label: "checkpoint" }, "checkpoint")
    .entry("label: cleared", "label", { targetId: "o1" }, null)
    .entry("label: null", "label", { targetId: "o1", label: null }, null)
    .entry("label: empty", "label", { targetId: "o1", label: "" }, null)
    .entry("model_change: null", "model_change", { provider: "p", modelId: "m" }, null)
    .entry("thinking_level_change: null", "thinking_level_change", { thinkingLevel: "high" }, null)
    .entry(
      "custom: null, whatever it holds",
      "custom",
      { customType: "x", data: { text: "x" }, content: "x" },
      null,
    )
    .entry(
      "unknown type: verbatim, null",
      "time_travel",
      { content: "x", summary: "x", text: "x", name: "x" },
      null,
    )
    .entry("type is compared exactly", "Label", { label: "x" }, null)
    .entry("type with white space is another type", "label ", { label: "x" }, null);
  addEntries(set, "text-entries", "text of entries that are no messages", t.transcript);
}
