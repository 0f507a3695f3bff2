/** Files and lines of sizes nobody tests by hand: memory does not grow with the file, only with its longest line. */
import assert from "node:assert/strict";
import { appendFileSync, closeSync, mkdirSync, openSync } from "node:fs";
import path from "node:path";
import { Random } from "../../bench/random.ts";
import { entry, header, userMessage } from "../../test/support/session-lines.ts";
import type { SoakCase } from "../case.ts";
import { start } from "../support/children.ts";

const MB = 1 << 20;
/** An empty process that has loaded the sources (Node strips their types) takes some 90 MB. */
const EMPTY_MB = 110;
const MAX_GROWTH_MB = 100;
const PER_LONG_LINE = 8;
/** Warnings are not bounded (docs/design.md): each skipped line costs an object. */
const MB_PER_SKIPPED_LINE = 1 / 1000;

interface Giant {
  readonly longestLineBytes: number;
  readonly skippedLines: number;
}

const GIANTS: Readonly<Record<string, (write: (line: string | Buffer) => void, mb: number) => Giant>> = {
  "one long ASCII message": (write, mb) =>
    one(write, userMessage("u", null, "deploy the thing ".repeat((mb * MB) / 17))),
  "one long mixed-script message": (write, mb) =>
    one(write, userMessage("u", null, "配置é🚀x ".repeat((mb * MB) / 16))),
  "one long line of escapes": (write, mb) =>
    one(write, userMessage("u", null, '\\"\n'.repeat((mb * MB) / 8))),
  "one long line of braces": (write, mb) => one(write, '{"'.repeat((mb * MB) / 2)),
  "one long line of zeros": (write, mb) => one(write, Buffer.alloc(mb * MB)),
  "deep nesting": (write) =>
    one(write, `{"type":"message","x":${"[".repeat(100_000)}${"]".repeat(100_000)}}`),
  "deep open nesting": (write) => one(write, '{"a":'.repeat(100_000)),
  "many glued entries": (write, mb) =>
    one(write, userMessage("g", null, "glued").repeat((mb * MB) / 4 / 120)),
  "many messages"(write, mb) {
    const line = userMessage("m", null, "retry the queue with backoff ".repeat(30));
    const lines = Math.floor((mb * 6 * MB) / line.length);
    for (let i = 0; i < lines; i++) write(line);
    return { longestLineBytes: line.length, skippedLines: 0 };
  },
  "many tool results"(write, mb) {
    const message = {
      role: "toolResult",
      toolName: "bash",
      content: [{ type: "text", text: "x".repeat(50_000) }],
    };
    const line = entry("t", null, { type: "message", message });
    for (let i = 0; i < (mb * 6 * MB) / line.length; i++) write(line);
    return { longestLineBytes: line.length, skippedLines: 0 };
  },
  "many broken lines"(write, mb) {
    const lines = mb * 1000;
    for (let i = 0; i < lines; i++) write("{broken");
    return { longestLineBytes: 7, skippedLines: lines };
  },
};

function one(write: (line: string | Buffer) => void, line: string | Buffer): Giant {
  write(userMessage("before", null, "before"));
  write(line);
  write(userMessage("after", "before", "after"));
  return { longestLineBytes: Buffer.byteLength(line), skippedLines: 1 };
}

export const large: SoakCase = {
  name: "large",
  what: "20 MB lines, 100,000-deep nesting, files of hundreds of MB: no crash, and memory within its bound",
  longRounds: 33,
  shortRounds: 1,
  async run({ seed, isShort, directory, count, atMost }) {
    const random = new Random("large", seed);
    const kinds = Object.keys(GIANTS);
    const kind = kinds[seed % kinds.length] ?? "";
    const root = path.join(directory, "sessions");
    const sessionPath = path.join(root, "--p--", "giant.jsonl");
    mkdirSync(path.dirname(sessionPath), { recursive: true });
    const fd = openSync(sessionPath, "w");
    const write = (line: string | Buffer) => {
      appendFileSync(fd, line);
      appendFileSync(fd, "\n");
    };
    write(header());
    const giant = GIANTS[kind]?.(write, isShort ? 1 : random.between(10, 25));
    closeSync(fd);
    assert.ok(giant !== undefined);
    const { code, out, err } = await start("reading", [root, sessionPath, path.join(directory, "index.db")])
      .ended;
    assert.deepEqual({ code, err }, { code: 0, err: "" }, kind);
    const { told, warning, bytes, readPeakMb, peakMb, ms } = JSON.parse(out);
    assert.deepEqual({ told, warning }, { told: "read", warning: undefined });
    const longLines = (PER_LONG_LINE * Math.max(0, giant.longestLineBytes - MB)) / MB;
    const allowed = EMPTY_MB + MAX_GROWTH_MB + longLines + giant.skippedLines * MB_PER_SKIPPED_LINE;
    assert.ok(
      peakMb <= allowed,
      `${kind}: ${peakMb} MB of ${allowed} (reading ${readPeakMb}), ${bytes} bytes`,
    );
    count(kind);
    atMost("MB at most", peakMb);
    atMost("ms at most", ms);
  },
};
