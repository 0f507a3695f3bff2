/** One tool call and its result, with the sizes that real sessions show: short commands, long outputs, huge details. */
import type { Random } from "../random.ts";
import type { Bulk } from "./bulk.ts";
import type { Prose } from "./prose.ts";
import { identifier, sourcePath } from "./vocabulary.ts";

export interface ToolCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly output: string;
  readonly details: unknown;
  readonly image?: string;
}

/** `room` bounds the characters of the result; `forceLong` makes its details exactly that long. */
export function makeToolCall(
  random: Random,
  bulk: Bulk,
  prose: Prose,
  room: number,
  forceLong: boolean,
): ToolCall {
  const bounded = (size: number) => Math.max(8, Math.min(size, room, MAX_RESULT_CHARS));
  const output = (median: number, spread: number) =>
    bulk.output(random, bounded(random.longTailed(median, spread)));
  const path = sourcePath(random);
  const kind = forceLong ? 0.99 : random.next();
  if (kind < 0.42) {
    const command = random.chance(0.85)
      ? `cd /home/ada/projects/harbor && ${random.pick(["rg -n", "npx vitest run", "git diff", "ls -la"])} ${path}`
      : `node -e '${bulk.output(random, bounded(random.longTailed(450, 0.8)))}'`;
    const text = output(920, 1.5);
    const details = text.length > 4000 ? { truncation: { content: text, truncated: true } } : undefined;
    return { name: "bash", arguments: { command }, output: text, details };
  }
  if (kind < 0.7) {
    const text = output(2450, 1.2);
    const args = random.chance(0.5) ? { path } : { path, offset: random.between(1, 800), limit: 200 };
    return { name: "read", arguments: args, output: text, details: undefined };
  }
  if (kind < 0.87) {
    const oldText = bulk.output(random, bounded(random.longTailed(260, 1)));
    const newText = bulk.output(random, bounded(random.longTailed(470, 1)));
    const diff = bulk.output(random, bounded(random.longTailed(3600, 1.2)));
    const details = { diff, firstChangedLine: random.between(1, 900) };
    return {
      name: "edit",
      arguments: { path, edits: [{ oldText, newText }] },
      output: `Edited ${path}`,
      details,
    };
  }
  if (kind < 0.915) {
    const content = bulk.output(random, bounded(random.longTailed(1900, 0.9)));
    return { name: "write", arguments: { path, content }, output: `Wrote ${path}`, details: undefined };
  }
  if (kind < 0.93) {
    const image = bulk.base64(random, bounded(random.longTailed(45_000, 0.7)));
    return {
      name: "read",
      arguments: { path: `shots/${identifier(random)}.png` },
      output: "Read image",
      details: undefined,
      image,
    };
  }
  const size = forceLong ? LONGEST_DETAILS_CHARS : bounded(random.longTailed(5600, 1.5));
  return {
    name: "subagent",
    arguments: { agent: random.pick(["scout", "worker", "reviewer"]), task: prose.title(random) },
    output: bulk.unheard(random, bounded(random.longTailed(1200, 0.8))),
    details: {
      mode: "single",
      results: [{ agent: "worker", exitCode: 0, messages: transcript(random, bulk, size) }],
    },
  };
}

const MAX_RESULT_CHARS = 400_000;
const LONGEST_DETAILS_CHARS = 850_000;

/** What a subagent said and did, as its parent keeps it. */
function transcript(random: Random, bulk: Bulk, size: number): readonly unknown[] {
  const messages: unknown[] = [];
  let left = size;
  while (left > 0) {
    const length = Math.min(left, random.longTailed(1800, 1));
    const isText = random.chance(0.3);
    const text = isText ? bulk.unheard(random, length) : bulk.output(random, length);
    messages.push({ role: isText ? "assistant" : "toolResult", content: [{ type: "text", text }] });
    left -= length + 80;
  }
  return messages;
}
