/** Arbitrary session files: good entries of many kinds, broken lines and glued ones, with few distinct field values. */
import fc from "fast-check";
import { header } from "./session-lines.ts";

const id = fc.constantFrom("a", "b", "c", "A", "", null, 7);
const words = fc.constantFrom(
  "Retry the queue",
  "RETRY",
  "İstanbul",
  "straße",
  "a b",
  " ",
  "日本語",
  "",
  "\ud800",
  "x\ny",
);
const timestamp = fc.constantFrom(
  "2026-05-01T08:00:00.000Z",
  "2026-05-01T10:00:00+02:00",
  "2026-05-02T00:00:00Z",
  "2026-02-30",
);
const content = fc.oneof(
  words,
  fc.array(fc.record({ type: fc.constantFrom("text", "image"), text: words }), { maxLength: 3 }),
);
const message = fc.record({
  role: fc.constantFrom("user", "assistant", "toolResult", "User", "odd", 7),
  content,
});
const entryArbitrary = fc.record(
  {
    type: fc.constantFrom("message", "message", "label", "compaction", "Custom"),
    id,
    parentId: id,
    timestamp,
    message,
    label: words,
    summary: words,
  },
  { requiredKeys: ["type", "timestamp"] },
);
const addressed = fc.record({
  type: fc.constantFrom("message", "label"),
  id: fc.constantFrom("a", "b", "g"),
  parentId: fc.constantFrom("a", null),
  timestamp,
  message,
  label: words,
});
const toJson = (value: unknown) => JSON.stringify(value);
const line = fc.oneof(
  { arbitrary: entryArbitrary.map(toJson), weight: 6 },
  {
    arbitrary: fc.array(addressed, { minLength: 2, maxLength: 3 }).map((all) => all.map(toJson).join("")),
    weight: 2,
  },
  {
    arbitrary: fc.constantFrom("", " ", "{", "[]", "null", '{"type":"message"}', '{"type":"session"}'),
    weight: 2,
  },
  {
    arbitrary: fc.tuple(addressed, addressed).map(([a, b]) => toJson(a).slice(0, 20) + toJson(b)),
    weight: 1,
  },
);

/** The bytes of a whole file, header included. */
export const transcript = fc
  .tuple(
    fc.constantFrom(1, 2, 3, 3, 3),
    fc.array(line, { maxLength: 12 }),
    fc.constantFrom("\n", "\r\n", "\r"),
    fc.boolean(),
  )
  .map(([version, lines, lineBreak, isTerminated]) => {
    const all = [header({ version }), ...lines].join(lineBreak);
    return isTerminated ? all + lineBreak : all;
  });
