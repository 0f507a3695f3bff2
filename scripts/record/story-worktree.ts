/** The implementation in the worktree: Pi's system prompt and its patch, compaction, codemode, a failed edit. */
import { bash, call, type Stage } from "./stage.ts";

const RETRY_QUEUE = `export interface RetryPolicy {
  readonly baseMs: number;
  readonly capMs: number;
  readonly maxAttempts: number;
}

/** Decision 0007: exponential backoff with full jitter. */
export const POLICY: RetryPolicy = { baseMs: 500, capMs: 60_000, maxAttempts: 12 };

/** Pause before the given attempt (1, 2, ...), in milliseconds. */
export function backoffMs(attempt: number, policy = POLICY, random = Math.random): number {
  return random() * Math.min(policy.capMs, policy.baseMs * 2 ** attempt);
}
`;

const TEST = `import assert from "node:assert";
import { backoffMs, POLICY } from "../src/retry-queue.ts";

assert.equal(backoffMs(1, POLICY, () => 1), 500);
assert.equal(backoffMs(12, POLICY, () => 1), 60_000);
console.log("retry-queue: ok");
`;

const COMPACTION_SUMMARY = `## Goal
Implement the retry queue of decision 0007 in src/retry-queue.ts.

## Constraints & Preferences
- Exponential backoff with full jitter, base 500 ms, cap 60 s, 12 attempts, then dead_letters

## Progress
### Done
- [x] backoffMs() and RetryPolicy in src/retry-queue.ts, with test/retry-queue.test.ts
- [x] Fixed ERR_ASSERTION "1000 == 500": the first attempt must not double the base

## Next Steps
1. Replace the direct calls of deliver() in src/worker.ts and src/replay.ts`;

/** Long enough that the compaction cuts before it: what Pi keeps begins with this message. */
const COMMIT_REQUEST = [
  "Good. Commit it on the branch retry-queue with a message that names the decision.",
  "Leave src/worker.ts and src/replay.ts alone for now: I want to merge the backoff by itself first and change",
  "the callers in a second step, because the replay sends everything at once and needs a design of its own.",
  "Nothing of this may reach main before the partners have been told that an event can arrive twice.",
].join(" ");

const write = (path: string, content: string) => call("write", { path, content });
const edit = (path: string, oldText: string, newText: string) =>
  call("edit", { path, edits: [{ oldText, newText }] });

export async function implementation(stage: Stage): Promise<void> {
  const test = "node test/retry-queue.test.ts 2>&1 | grep -v '^ *at '";
  const pi = await stage.open({
    cwd: stage.workspace.retryQueue,
    tools: "read,bash,edit,write,ls",
    systemPrompt: "pi",
    script: {
      answers: [
        {
          text: "The decision is in the main checkout, not in this worktree.",
          calls: [bash("cat ../harbor/docs/decisions/0007-retry-queue-backoff.md")],
        },
        { text: "Implementing exactly that.", calls: [write("src/retry-queue.ts", RETRY_QUEUE)] },
        { calls: [write("test/retry-queue.test.ts", TEST)] },
        { calls: [bash(`${test}; exit \${PIPESTATUS[0]}`)] },
        {
          thinking: "Attempt 1 should wait the base, so the exponent is attempt - 1.",
          text: "ERR_ASSERTION: the first attempt waits 1000 ms instead of 500 ms. The exponent is off by one.",
          calls: [edit("src/retry-queue.ts", "2 ** attempt)", "2 ** (attempt - 1))")],
        },
        { calls: [bash(test)] },
        {
          text: "src/retry-queue.ts and its test are done; `backoffMs(1)` is 500 ms and the cap of 60 s holds.",
        },
        {
          calls: [
            bash("git add src test && git commit -m 'Add the backoff of the retry queue (decision 0007)'"),
          ],
        },
        { text: "Committed on the branch retry-queue." },
        { when: "<conversation>", text: COMPACTION_SUMMARY },
        { text: "Listing the sources that may call deliver().", calls: [call("ls", { path: "src" })] },
        {
          text: "src/worker.ts and src/replay.ts still call deliver() directly; both should go through the queue.",
        },
      ],
    },
  });
  await pi.prompt("/tools read,bash,edit,write");
  await pi.prompt("Implement the retry queue in src/retry-queue.ts after decision 0007, with a test.");
  await pi.prompt(COMMIT_REQUEST);
  await pi.send({ type: "compact", customInstructions: "Keep the numbers of the policy." });
  await pi.prompt("/tools read,bash,edit,write,ls");
  await pi.prompt("Which files still call deliver() directly?");
  await pi.send({ type: "set_session_name", name: "Implement the retry queue" });
  const shows =
    "worktree: Pi's own system prompt, a failing test, compaction, system message patch (tool added)";
  stage.remember("implementation", await pi.sessionFile(), shows);
  await pi.close();
}

export async function flakyTest(stage: Stage): Promise<void> {
  const script = [
    `const runs = [1, 2, 3].map(() => tools.bash({ command: "node test/retry-queue.test.ts" }));`,
    `const results = await Promise.allSettled(runs);`,
    `return results.filter((result) => result.status === "fulfilled").length + " of 3 runs passed";`,
  ].join("\n");
  const path = await stage.print(
    {
      cwd: stage.workspace.retryQueue,
      tools: "read,bash,edit,codemode",
      script: {
        answers: [
          { text: "Running the test several times.", calls: [call("codemode", { code: script })] },
          {
            text: "It passes here. The seed is the suspect.",
            calls: [edit("test/retry-queue.test.ts", "Math.random()", "0.5")],
          },
          {
            text: [
              "The edit failed because test/retry-queue.test.ts contains no Math.random(): it passes a fixed",
              "random source already. So the flaky run in CI must come from another test; retry-queue is not the cause.",
            ].join("\n"),
          },
        ],
      },
    },
    "CI says that retry-queue.test.ts is flaky: 1 of 20 runs fails. Find out why.",
  );
  stage.remember("flaky-test", path, "worktree: print mode with a codemode script and an edit that fails");
}
