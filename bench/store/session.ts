/** Writes one session file, turn by turn, until it has its size. Entries have Pi's shapes and Pi's order of keys. */
import { Random } from "../random.ts";
import type { Plant } from "./items.ts";
import type { LineFile } from "./lineFile.ts";
import type { Material, SessionPlan, Tally } from "./sessionPlan.ts";
import { makeToolCall, type ToolCall } from "./toolCall.ts";

const COMPACTION_BYTES = 400_000;

export class SessionWriter {
  readonly #plan: SessionPlan;
  readonly #material: Material;
  readonly #file: LineFile;
  readonly #random: Random;
  readonly #tally: Tally;
  readonly #seeVisible: (text: string) => void;
  readonly #plants: Plant[];
  readonly #decoys: Plant[];
  readonly #ids: string[] = [];
  #timeMs: number;
  #parentId: string | null = null;
  #compactedAt = 0;
  #owesLongest: boolean;

  constructor(
    plan: SessionPlan,
    material: Material,
    file: LineFile,
    tally: Tally,
    seeVisible: (text: string) => void,
  ) {
    this.#plan = plan;
    this.#material = material;
    this.#file = file;
    this.#random = new Random(plan.seed);
    this.#tally = tally;
    this.#seeVisible = seeVisible;
    this.#plants = [...plan.plants];
    this.#decoys = [...plan.decoys];
    this.#timeMs = plan.startMs;
    this.#owesLongest = plan.hasLongestLine;
  }

  /** Writes the whole session and returns the time of its last entry. */
  write(): number {
    const { id, cwd, fork, maxEntries } = this.#plan;
    const timestamp = this.#iso();
    const header = { type: "session", version: 3, id, timestamp, cwd };
    this.#file.line(
      JSON.stringify(fork === undefined ? header : { ...header, parentSession: fork.parentSession }),
    );
    if (fork === undefined) this.#opening();
    else this.#copy(fork.lines);
    do this.#turn();
    while (!this.#isDone());
    // Whatever is still to be planted must not depend on how long the session became.
    while (this.#plants.length > 0 && maxEntries === undefined) this.#user();
    if (this.#plan.hasTornTail) {
      this.#file.text(
        `{"type":"message","id":"${this.#random.hex(8)}","parentId":"${this.#parentId}","timest`,
      );
    }
    return this.#timeMs;
  }

  #isDone(): boolean {
    return this.#room() < 700 || this.#ids.length >= (this.#plan.maxEntries ?? Number.POSITIVE_INFINITY);
  }

  #room(): number {
    return this.#plan.bytes - this.#file.bytes;
  }

  #opening(): void {
    const isSmall = this.#plan.bytes < 12_000;
    this.#entry("model_change", { provider: "anthropic", modelId: "claude-sonnet-4-5" });
    this.#entry("thinking_level_change", { thinkingLevel: "medium" });
    if (!isSmall && this.#random.chance(0.6)) {
      this.#message(this.#material.systemMessage(this.#plan.cwd, this.#timeMs));
    }
  }

  #copy(lines: readonly string[]): void {
    for (const line of lines) {
      this.#file.line(line);
      const id = /"id":"([^"]+)"/.exec(line)?.[1];
      if (id !== undefined) {
        this.#ids.push(id);
        this.#parentId = id;
      }
    }
  }

  #turn(): void {
    this.#user();
    const rounds = this.#random.longTailed(5, 0.9);
    for (let round = 0; round < rounds && !this.#isDone(); round++) {
      const calls = Array.from({ length: this.#random.chance(0.12) ? 2 : 1 }, () => this.#toolCall());
      const callIds = this.#assistant(
        calls,
        this.#random.chance(0.42) ? this.#random.longTailed(260, 0.8) : 0,
      );
      calls.forEach((call, i) => {
        this.#toolResult(call, callIds[i] ?? "");
      });
    }
    if (!this.#isDone()) this.#assistant([], this.#random.longTailed(1950, 0.9));
    this.#sidestep();
  }

  /** Names, labels, extension data, compactions and branches between turns. */
  #sidestep(): void {
    const random = this.#random;
    if (this.#isDone()) return;
    if (random.chance(0.03)) this.#entry("session_info", { name: this.#material.prose.title(random) });
    if (random.chance(0.02)) this.#entry("label", { targetId: random.pick(this.#ids), label: "checkpoint" });
    if (random.chance(0.15)) {
      const data = {
        state: this.#material.bulk.unheard(random, Math.min(this.#room(), random.longTailed(900, 1.2))),
      };
      this.#entry("custom", {}, { customType: "todo-list", data });
    }
    if (this.#file.bytes - this.#compactedAt > COMPACTION_BYTES) {
      this.#compactedAt = this.#file.bytes;
      this.#entry("compaction", {
        summary: `## Goal\n${this.#material.prose.text(random, 1800)}`,
        firstKeptEntryId: this.#ids.at(-8) ?? this.#ids.at(0) ?? "",
        tokensBefore: random.between(90_000, 170_000),
        details: { readFiles: [], modifiedFiles: [] },
        fromHook: false,
        systemMessage: this.#material.systemMessage(this.#plan.cwd, this.#timeMs),
      });
    }
    if (this.#ids.length > 12 && random.chance(0.05)) {
      const fromId = this.#parentId;
      this.#parentId = this.#ids.at(-random.between(4, 12)) ?? null;
      const summary = this.#material.prose.text(random, 500);
      if (random.chance(0.5))
        this.#entry("branch_summary", { fromId, summary, details: {}, fromHook: false });
    }
  }

  #user(): void {
    const text = this.#visible(this.#random.longTailed(190, 1.1));
    this.#message({ role: "user", content: [{ type: "text", text }], timestamp: this.#timeMs });
  }

  #assistant(calls: readonly ToolCall[], textSize: number): readonly string[] {
    const random = this.#random;
    const content: unknown[] = [];
    if (random.chance(0.38)) {
      const thinking = this.#material.bulk.unheard(random, Math.min(random.longTailed(580, 0.95), 12_000));
      const thinkingSignature = this.#material.bulk.base64(random, random.between(300, 1500));
      this.#tally.thinking += Buffer.byteLength(thinking);
      content.push({ type: "thinking", thinking, thinkingSignature });
    }
    if (textSize > 0) content.push({ type: "text", text: this.#visible(textSize) });
    const ids = calls.map(() => `toolu_01${this.#material.bulk.base64(random, 22)}`);
    calls.forEach((call, i) => {
      this.#tally.arguments += Buffer.byteLength(JSON.stringify(call.arguments));
      content.push({ type: "toolCall", id: ids[i], name: call.name, arguments: call.arguments });
    });
    const [input, output, cacheRead] = [
      random.between(2, 900),
      random.between(20, 2500),
      random.between(0, 160_000),
    ];
    const cost = { input: input * 3e-6, output: output * 15e-6, cacheRead: cacheRead * 3e-7, cacheWrite: 0 };
    const total = cost.input + cost.output + cost.cacheRead;
    this.#message({
      role: "assistant",
      content,
      api: "anthropic-messages",
      provider: "anthropic",
      model: "claude-sonnet-4-5",
      usage: {
        input,
        output,
        cacheRead,
        cacheWrite: 0,
        totalTokens: input + output,
        cost: { ...cost, total },
      },
      stopReason: calls.length > 0 ? "toolUse" : "stop",
      timestamp: this.#timeMs,
      responseId: `msg_01${this.#material.bulk.base64(random, 22)}`,
      durationMs: random.between(400, 60_000),
      thinkingLevel: "medium",
    });
    return ids;
  }

  #toolCall(): ToolCall {
    const isLongest = this.#owesLongest;
    this.#owesLongest = false;
    const room = Math.min(this.#room() / 2, this.#plan.maxResultChars ?? Number.POSITIVE_INFINITY);
    return makeToolCall(this.#random, this.#material.bulk, this.#material.prose, room, isLongest);
  }

  #toolResult(call: ToolCall, toolCallId: string): void {
    const decoy = this.#decoys.shift();
    const text = decoy === undefined ? call.output : `${call.output}\n${decoy.sentence}`;
    this.#tally.output += Buffer.byteLength(text);
    const image =
      call.image === undefined ? [] : [{ type: "image", data: call.image, mimeType: "image/png" }];
    this.#message({
      role: "toolResult",
      toolCallId,
      toolName: call.name,
      content: [{ type: "text", text }, ...image],
      ...(call.details === undefined ? {} : { details: call.details }),
      isError: this.#random.chance(0.05),
      durationMs: this.#random.between(3, 9000),
      timestamp: this.#timeMs,
    });
  }

  #visible(size: number): string {
    const bounded = Math.max(20, Math.min(size, 20_000, this.#room() / 3));
    const written = this.#material.prose.text(this.#random, bounded);
    const plant = this.#ids.length > 4 ? this.#plants.shift() : undefined;
    const text = plant === undefined ? written : `${written} ${plant.sentence}`;
    this.#tally.visible += Buffer.byteLength(text);
    this.#tally.messages++;
    this.#seeVisible(text);
    return text;
  }

  #message(message: object): void {
    this.#entry("message", { message });
  }

  /** `early` stands before the id, as in entries of extensions. */
  #entry(type: string, rest: object, early: object = {}): void {
    const id = this.#random.hex(8);
    this.#timeMs += this.#random.between(40, 45_000);
    const parentId = this.#parentId;
    this.#file.line(JSON.stringify({ type, ...early, id, parentId, timestamp: this.#iso(), ...rest }));
    this.#ids.push(id);
    this.#parentId = id;
  }

  #iso(): string {
    return new Date(this.#timeMs).toISOString();
  }
}
