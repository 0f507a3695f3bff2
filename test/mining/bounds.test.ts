import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fitInventory } from "../../src/mining/fitInventory.ts";
import { demandOf, packMessages } from "../../src/mining/pack.ts";
import { fairShares } from "../../src/mining/share.ts";
import type { MinedMessage } from "../../src/mining/texts.ts";
import { makeDirectory, Repository } from "./repositories.ts";
import { SessionStore } from "./sessions.ts";

const lengthOf = (value: unknown) => JSON.stringify(value).length;
const OTHERS = { cwd: makeDirectory() }; // outside of Git

describe("the room of an answer", () => {
  it("goes first to who needs little, then evenly to the others", () => {
    expect(fairShares([5, 100, 30], 60)).toEqual([5, 28, 27]);
    expect(fairShares([5, 5], 60)).toEqual([5, 5]);
    expect(fairShares([Number.POSITIVE_INFINITY, 3], 10)).toEqual([7, 3]);
    expect(fairShares([], 10)).toEqual([]);
    expect(fairShares([1], -5)).toEqual([0]);
  });

  it("is never exceeded, and nobody gets less than another who needs as much", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(1000), { maxLength: 12 }), fc.nat(3000), (demands, room) => {
        const shares = fairShares(demands, room);
        const even = Math.floor(room / Math.max(1, demands.length));
        expect(shares.reduce((a, b) => a + b, 0)).toBeLessThanOrEqual(room);
        shares.forEach((share, i) => {
          expect(share).toBeLessThanOrEqual(demands[i] ?? 0);
          expect(share).toBeGreaterThanOrEqual(Math.min(demands[i] ?? 0, even));
        });
      }),
    );
  });
});

const texts = fc.oneof(
  fc.string({ minLength: 1, maxLength: 30 }),
  fc
    .tuple(fc.constantFrom("word ", "\u0001", "🚀", '"\\', "\ud800", "配"), fc.integer({ min: 1, max: 900 }))
    .map(([unit, count]) => unit.repeat(count)),
);
const mined = fc.array(
  fc.record({
    id: fc.constantFrom("a1b2c3d4", null),
    role: fc.constantFrom("user" as const, "assistant" as const),
    timestamp: fc.constant("2026-01-01T00:00:00.000Z"),
    text: texts,
    isShortened: fc.constant(false),
  }),
  { maxLength: 30 },
);

describe("the messages of one session", () => {
  it("fill their room and never more; what was changed is marked, what fits stays whole", () => {
    fc.assert(
      fc.property(mined, fc.integer({ min: 0, max: 12_000 }), (messages: MinedMessage[], room) => {
        const whole = { messages, total: messages.length };
        const packed = packMessages(whole, room);
        const cost = packed.messages.reduce((sum, message) => sum + lengthOf(message) + 1, 0);
        expect(cost).toBeLessThanOrEqual(room);
        expect(packed.truncated).toBe(packed.messages.length < messages.length);
        const shown = new Set(messages.map(({ text }) => text));
        expect(packed.contentTruncated).toBe(packed.messages.some(({ text }) => !shown.has(text)));
        if (demandOf(whole) <= room) {
          expect(packed).toMatchObject({ truncated: false, contentTruncated: false });
        }
      }),
    );
  });

  it("lose their middle before texts become very short", () => {
    const messages = Array.from({ length: 100 }, (_, i) => ({
      id: `m${i}`,
      role: "user" as const,
      timestamp: "2026-01-01T00:00:00.000Z",
      text: "x".repeat(1000),
      isShortened: false,
    }));
    const { messages: kept, truncated, contentTruncated } = packMessages({ messages, total: 100 }, 3_000);
    expect({ truncated, contentTruncated }).toEqual({ truncated: true, contentTruncated: true });
    const last = Math.floor(kept.length / 2);
    const ends = [...messages.slice(0, kept.length - last), ...messages.slice(-last)];
    expect(kept.map(({ id }) => id)).toEqual(ends.map(({ id }) => id));
    expect(kept.length).toBeGreaterThan(8);
    expect(kept.every(({ text }) => text.length >= 200)).toBe(true);
  });
});

describe("an inventory", () => {
  const path = fc.array(fc.constantFrom("a", "src", "ü\n", "x".repeat(120), "\u0001"), {
    minLength: 1,
    maxLength: 4,
  });
  const paths = fc.uniqueArray(
    path.map((parts) => parts.join("/")),
    { maxLength: 200 },
  );

  it("is at most 10,000 characters, counts what it leaves out, and lets no collection starve another", () => {
    fc.assert(
      fc.property(paths, paths, texts, (some, others, command) => {
        const whole = {
          packageScripts: some.map((path) => ({ path, name: "test", command })),
          executableScripts: others,
          agentInstructions: some,
          skills: others.slice(0, 3).map((path) => ({ name: "skill:a", description: command, path })),
        };
        const fitted = fitInventory(whole);
        if (!fitted.available) throw new Error("not available");
        expect(lengthOf(fitted)).toBeLessThanOrEqual(10_000);
        const names = ["packageScripts", "executableScripts", "agentInstructions", "skills"] as const;
        for (const name of names) {
          expect(fitted[name].length + fitted.omittedCounts[name]).toBe(whole[name].length);
          const cost = whole[name].reduce((sum: number, item) => sum + lengthOf(item) + 1, 0);
          if (cost < 2_000) expect(fitted.omittedCounts[name]).toBe(0);
        }
        const isWhole = names.every((name) => fitted.omittedCounts[name] === 0);
        expect(fitted.truncated).toBe(isWhole ? undefined : true);
      }),
    );
  });

  it("keeps what is nearest to the root, in order, and passes over one entry that is too large", () => {
    const deep = Array.from({ length: 500 }, (_, i) => `a/deep/${i}/${"x".repeat(50)}.sh`);
    const fitted = fitInventory({
      packageScripts: [
        { path: "package.json", name: "a", command: "x".repeat(20_000) },
        { path: "package.json", name: "b", command: "short" },
      ],
      executableScripts: [...deep, "z.sh"],
      agentInstructions: [],
      skills: [],
    });
    if (!fitted.available) throw new Error("not available");
    expect(fitted.packageScripts.map(({ name }) => name)).toEqual(["b"]);
    expect(fitted.executableScripts.at(-1)).toBe("z.sh");
    expect(fitted.executableScripts.slice(0, -1)).toEqual(deep.slice(0, fitted.executableScripts.length - 1));
    expect(fitted.omittedCounts).toMatchObject({ packageScripts: 1 });
  });
});

describe("a prepared answer", () => {
  it("is at most 50,000 characters on a store of huge messages, and no session loses its citation", async () => {
    const repository = new Repository();
    for (let i = 0; i < 300; i++) repository.write(`scripts/${i}-${"s".repeat(60)}.sh`, "", 0o755);
    repository.stage("package.json", { scripts: { long: "y".repeat(5_000), test: "vitest" } });
    repository.git("add", ".");
    const store = new SessionStore();
    const cwd = repository.root;
    const paths = [
      store.add({ cwd, lines: ["small", "session"] }),
      store.add({ cwd, lines: ["🚀".repeat(2_000_000), "\u0001".repeat(1_000_000)] }),
      ...Array.from({ length: 8 }, (_, i) =>
        store.add({ cwd, lines: Array(400).fill(`${i} word `.repeat(500)) }),
      ),
    ];
    const output = await store.prepare({ scope: "repository" }, { cwd });
    expect(lengthOf(output)).toBeLessThanOrEqual(50_000);
    expect(lengthOf(output)).toBeGreaterThan(47_000);
    expect(lengthOf(output.inventory)).toBeLessThanOrEqual(10_000);
    expect(output.inventory).toMatchObject({ truncated: true });
    expect(output.contentTruncated).toBe(true);
    expect(output.sessions.map(({ path }) => path)).toEqual(paths.toReversed());
    for (const { messages, truncated, contentTruncated } of output.sessions.slice(0, 9)) {
      expect(messages.length).toBeGreaterThan(1);
      expect(contentTruncated).toBe(true);
      if (messages.length > 2)
        expect([truncated, messages[0]?.id, messages.at(-1)?.id]).toEqual([true, "m0", "m399"]);
    }
    expect(output.sessions[9]).not.toHaveProperty("contentTruncated");
    expect(output.sessions[9]?.messages.map(({ text }) => text)).toEqual(["small", "session"]);
  });

  it("keeps to the bound whatever the sizes", async () => {
    const lines = fc.array(
      texts.map((text) => text.replaceAll("\ud800", "?") || "x"),
      { maxLength: 60 },
    );
    const factor = fc.constantFrom(1, 1, 40);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(lines, factor), { minLength: 1, maxLength: 10 }), async (specs) => {
        const store = new SessionStore();
        for (const [own, times] of specs) store.add({ lines: own.map((line) => line.repeat(times)) });
        const output = await store.prepare({ scope: "all" }, OTHERS);
        expect(lengthOf(output)).toBeLessThanOrEqual(50_000);
        expect(output.sessions).toHaveLength(specs.length);
        const isCut = output.sessions.some(
          ({ truncated, contentTruncated }) => truncated || contentTruncated,
        );
        if (isCut) expect(lengthOf(output)).toBeGreaterThan(44_000);
      }),
      { numRuns: 25 },
    );
  });

  it("shortens names, and facts that no system would give", async () => {
    const store = new SessionStore();
    const info = {
      type: "session_info",
      id: "n",
      parentId: null,
      timestamp: "2026-01-01",
      name: "n".repeat(90_000),
    };
    const file = store.add({
      cwd: `/${"c".repeat(90_000)}`,
      lines: [info],
      parentSession: "p".repeat(90_000),
    });
    const output = await store.prepare({ scope: "all" }, OTHERS);
    expect(output.sessions[0]?.path).toBe(file);
    expect(lengthOf(output)).toBeLessThan(4_000);
  });
});
