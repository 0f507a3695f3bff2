/** No spelling of a path reaches a file outside the root. */
import assert from "node:assert/strict";
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Random } from "../../bench/random.ts";
import { readSessionEntries, searchSessions } from "../../src/index.ts";
import { cli } from "../../test/support/cli.ts";
import { fileOf, header, userMessage } from "../../test/support/session-lines.ts";
import type { SoakCase } from "../case.ts";

const SECRET = "outside-secret";
const INSIDE = "inside-words";
const SEGMENTS = [
  ...[
    "..",
    "..",
    "..",
    ".",
    "",
    "root",
    "Root",
    "outside",
    "--p--",
    "--P--",
    "--link--",
    "--up--",
    "a.jsonl",
    "secret.jsonl",
  ],
  ...[
    "link.jsonl",
    "chain.jsonl",
    "relative.jsonl",
    "a",
    "run-0",
    "session.jsonl",
    "%2e%2e",
    "..%2f",
    "..\\outside",
    "a.jsonl\0",
  ],
  ...["．．", "‥", "..;", " ..", ".. ", "~", "proc", "self", "cwd", "absent", "root-copy", "loop"],
];

export const confinement: SoakCase = {
  name: "confinement",
  what: "random spellings with .., links, case, escapes, NUL and trailing slashes: only files inside the root are read",
  longRounds: 300,
  shortRounds: 1,
  async run({ seed, isShort, directory, count }) {
    const random = new Random("confinement", seed);
    const root = makeTree(directory, random);
    for (let left = isShort ? 60 : 200; left > 0; left--) {
      const start = random.pick([
        root,
        root,
        root,
        `${root}/--p--`,
        directory,
        "",
        `/proc/self/root${directory}`,
      ]);
      const sessionPath = [
        start,
        ...Array.from({ length: random.between(1, 7) }, () => random.pick(SEGMENTS)),
      ].join("/");
      const asked = { sessionsRoot: root };
      const outcomes = [
        await outcomeOf(() => readSessionEntries({ sessionPath }, asked)),
        await outcomeOf(() => searchSessions({ sessionId: sessionPath }, asked)),
        await outcomeOf(() => searchSessions({ sessionId: sessionPath, aroundMessageId: "u" }, asked)),
      ];
      const shown = await cli(["entries", sessionPath.replaceAll("\0", "") || ".", "--root", root], {
        workingDirectory: random.pick([directory, root, "/"]),
      });
      const told = JSON.stringify([outcomes, shown.out, shown.err]);
      assert.ok(!told.includes(SECRET), `${JSON.stringify(sessionPath)} reaches outside: ${told}`);
      const isInside = leadsInside(sessionPath, root);
      // A search takes only what is spelled as a session file; `session_entries` takes any name.
      const isSearched = isInside && sessionPath.endsWith(".jsonl");
      assert.deepEqual(
        outcomes.map(({ isRead }) => isRead),
        [isInside, isSearched, isSearched],
        `${JSON.stringify(sessionPath)}: ${told}`,
      );
      count("spellings");
      if (isInside) count("inside");
    }
  },
};

/** What the system says: the real path is a session file strictly below the root's. */
function leadsInside(sessionPath: string, root: string): boolean {
  try {
    const real = realpathSync(sessionPath);
    return real.startsWith(`${realpathSync(root)}/`) && real.endsWith(".jsonl");
  } catch {
    return false;
  }
}

async function outcomeOf(
  ask: () => Promise<unknown>,
): Promise<{ readonly isRead: boolean; readonly told: string }> {
  try {
    const told = JSON.stringify(await ask());
    assert.ok(told.includes(INSIDE), told);
    return { isRead: true, told };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    assert.ok(!(error instanceof TypeError), error.stack);
    return { isRead: false, told: error.message };
  }
}

function makeTree(directory: string, random: Random): string {
  const at = (...segments: string[]) => path.join(directory, ...segments);
  const session = (words: string) => fileOf(header(), userMessage("u", null, words));
  for (const made of ["root/--p--/a/run-0", "outside", "root-copy"]) mkdirSync(at(made), { recursive: true });
  for (const inside of ["root/--p--/a.jsonl", "root/--p--/a/run-0/session.jsonl", "root/a.jsonl"]) {
    writeFileSync(at(inside), session(INSIDE));
  }
  for (const outside of [
    "outside/secret.jsonl",
    "root-copy/a.jsonl",
    "a.jsonl",
    "outside/a.jsonl",
    "outside/session.jsonl",
  ]) {
    writeFileSync(at(outside), session(SECRET));
  }
  symlinkSync(at("outside/secret.jsonl"), at("root/--p--/link.jsonl"));
  symlinkSync(at("root/--p--/link.jsonl"), at("root/--p--/chain.jsonl"));
  symlinkSync("../../outside/secret.jsonl", at("root/--p--/relative.jsonl"));
  symlinkSync(at("outside"), at("root/--link--"));
  symlinkSync("..", at("root/--up--"));
  symlinkSync("loop", at("root/loop"));
  symlinkSync(at("root/--p--/a.jsonl"), at("outside/link.jsonl"));
  if (!random.chance(0.3)) return at("root");
  symlinkSync(at("root"), at("outside/root"));
  return at("outside/root");
}
