import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, symlinkSync, truncateSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MAX_REPEATED_CHARS } from "../../src/session/cut.ts";
import { ParameterError } from "../../src/session/parameterError.ts";
import { readMessages } from "../../src/transcript/messages.ts";
import { withTranscript } from "../../src/transcript/open.ts";
import { readOutline } from "../../src/transcript/outline.ts";
import { readTranscript } from "../../src/transcript/readTranscript.ts";
import { scrollTranscript } from "../../src/transcript/scrollTranscript.ts";
import { chain, entry, headerOf, lineOf, makeStore, message } from "./store.ts";

const store = makeStore();
const elsewhere = makeStore();
const read = (sessionId: string, signal?: AbortSignal) =>
  readTranscript({ sessionId }, { ...store.options, signal });

describe("a path is opened only inside a root", () => {
  test("every way out is refused as the caller's mistake", async () => {
    const file = store.write(chain(1));
    const outside = elsewhere.write(chain(1));
    const link = path.join(store.directory, "link.jsonl");
    symlinkSync(outside, link);
    for (const sessionId of [
      outside,
      link,
      `${store.directory}/../../../etc/passwd.jsonl`,
      "/etc/passwd.jsonl",
    ]) {
      await expect(read(sessionId)).rejects.toThrow(ParameterError);
      await expect(read(sessionId)).rejects.toThrow(/^sessionId is outside the sessions root/);
    }
    expect(
      (await read(`${store.directory}/../${path.basename(store.directory)}/${path.basename(file)}`)).path,
    ).toContain("..");
  });

  test("what is inside and cannot be read as a session says so", async () => {
    const directory = path.join(store.directory, "directory.jsonl");
    mkdirSync(directory);
    const fifo = path.join(store.directory, "fifo.jsonl");
    execFileSync("mkfifo", [fifo]);
    for (const sessionId of [path.join(store.directory, "gone.jsonl"), directory, fifo]) {
      await expect(read(sessionId)).rejects.toThrow(/^could not read session file: /);
    }
    for (const bytes of [
      "",
      "\n",
      "{}",
      "not json",
      '{"type":"session","version":0}',
      '[1]\n{"type":"session"}',
    ]) {
      await expect(read(store.writeBytes(bytes))).rejects.toThrow(/^not a Pi session file: /);
    }
    const options = { sessionsRoot: path.join(store.directory, "nowhere") };
    const sessionId = path.join(store.directory, "nowhere", "a.jsonl");
    await expect(readTranscript({ sessionId }, options)).rejects.toThrow(/^sessions root is not readable/);
  });

  test("no message repeats more than 200 characters of a long path", async () => {
    const long = (directory: string) => `${directory}/${"long/".repeat(200)}a.jsonl`;
    const name = `${store.directory}/${"n".repeat(2000)}.jsonl`;
    for (const sessionId of [long("/elsewhere"), long(store.directory), name]) {
      const error = await read(sessionId).catch((reason: unknown) => reason);
      if (!(error instanceof Error)) throw new Error("expected a refusal");
      expect(error.message.length).toBeLessThan(MAX_REPEATED_CHARS + 300);
    }
  });
});

describe("a file that is written to while it is read", () => {
  test("is read up to where it ended when it was opened, a torn last line being a warning", async () => {
    const file = store.write(chain(3));
    appendFileSync(file, '{"type":"message","id":"m3"');
    expect(await read(file)).toMatchObject({
      totalMessages: 3,
      warnings: [{ lineNo: 5, code: "invalid_json" }],
    });
  });

  test("is refused when its lines are gone between the two looks", async () => {
    const file = store.write(chain(5));
    const answer = withTranscript({ sessionId: file }, store.options, async (transcript) => {
      const outline = await readOutline(transcript);
      truncateSync(file, 150);
      return readMessages(transcript, outline, [4]);
    });
    await expect(answer).rejects.toThrow(/session file changed while it was read/);
  });
});

describe("a long file", () => {
  const file = store.write(chain(40_000));

  test("leaves the event loop its turns", async () => {
    let turns = 0;
    let isDone = false;
    const turn = () => {
      turns++;
      if (!isDone) setImmediate(turn);
    };
    turn();
    await read(file);
    isDone = true;
    expect(turns).toBeGreaterThan(2);
  });

  test("is left as soon as the signal says so, with its reason", async () => {
    const reason = new Error("enough");
    await expect(read(file, AbortSignal.abort(reason))).rejects.toBe(reason);
    const controller = new AbortController();
    const answer = read(file, controller.signal);
    setImmediate(() => controller.abort(reason));
    await expect(answer).rejects.toBe(reason);
  });
});

describe("hostile bytes", () => {
  const pieces = fc.oneof(
    fc.constantFrom(
      "\n",
      "\r",
      "\r\n",
      "\0\0\0",
      "\ufeff",
      "\u2028",
      "{",
      "}",
      '"',
      "[",
      "\ud800",
      "[".repeat(9999),
    ),
    fc.constantFrom(
      lineOf(message("a", null)),
      lineOf(
        message(
          "b",
          "a",
          [{ type: "toolCall", name: "x", arguments: { __proto__: null, constructor: 1 } }],
          "assistant",
        ),
      ),
      lineOf(message("a", "b", [{ type: "image", data: 7 }], "toolResult")),
      lineOf(entry("custom_message", "b", "b", { content: [null, { type: "text", text: 3 }] })),
      lineOf(entry("message", "c", "a", { message: [] })),
      lineOf(headerOf(2)),
      '{"type":"message","id":"__proto__","parentId":"constructor","timestamp":"2026-01-01","message":{"role":"user","__proto__":{"content":"x"}}}',
      '{"type":"message","id":"a","id":"b","parentId":null,"timestamp":"1e999","message":1e999}',
    ),
    fc.string({ unit: "binary", maxLength: 20 }),
  );

  test("never make reading or scrolling throw anything but a clear error, and every answer can be written", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(1, 2, 3),
        fc.array(pieces, { maxLength: 12 }),
        fc.nat(),
        async (version, body, cut) => {
          const bytes = Buffer.from([lineOf(headerOf(version)), ...body].join("\n"));
          const sessionId = store.writeBytes(bytes.subarray(0, bytes.length - (cut % 20)));
          const answers = [
            read(sessionId),
            scrollTranscript(
              { sessionId, aroundMessageId: "a", branchTip: undefined, window: 3 },
              store.options,
            ),
            scrollTranscript({ sessionId, aroundMessageId: "b", branchTip: "a", window: 1 }, store.options),
          ];
          for (const settled of await Promise.allSettled(answers)) {
            if (settled.status === "fulfilled") {
              for (const { content } of settled.value.messages)
                expect(content).not.toMatch(/[\u0000-\u0008\r]/);
              expect(() => JSON.stringify(settled.value)).not.toThrow();
            } else {
              expect(settled.reason).toBeInstanceOf(Error);
              expect(settled.reason.message).toMatch(/^(not a Pi session file|aroundMessageId|branchTip)/);
            }
          }
        },
      ),
      { numRuns: 400 },
    );
  });

  test("a message nested 100,000 deep is shown like any other", async () => {
    const deep = `{"type":"message","id":"d","parentId":null,"timestamp":"2026-01-01","message":{"role":"assistant","content":[{"type":"toolCall","name":"deep","arguments":${"[".repeat(100_000)}${"]".repeat(100_000)}}]}}`;
    const { messages } = await read(store.write([deep]));
    expect(messages[0]?.content).toMatch(/^→ deep \[{190}/);
  });
});
