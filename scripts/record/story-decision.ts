/** The backoff is decided: a branch left and summarized, steering, label, decision notes; fork and clone. */
import type { PiRpc } from "../../test/support/pi-run.ts";
import { isObject } from "../../test/support/pi-run.ts";
import { bash, call, read, type Stage } from "./stage.ts";

const DECISION_FILE = "docs/decisions/0007-retry-queue-backoff.md";

const DECISION_TEXT = `# 0007 Retry queue backoff

Failed deliveries (ECONNREFUSED, timeouts, status 5xx) go to the retry queue in src/retry-queue.ts.
Backoff: exponential with full jitter, base 500 ms, cap 60 s, at most 12 attempts, three minutes on average.
After the twelfth attempt the event moves to the table dead_letters.

Rejected: a fixed interval of 5 s, because after an outage all waiting events arrive in the same second.
Rejected: a cap of 10 minutes, because partners' maintenance windows last about three minutes.
`;

const BRANCH_SUMMARY = `## Goal
Find out whether a fixed retry interval of 5 seconds is good enough for the retry queue.

## Progress
### Done
- [x] Simulated it with scripts/simulate-backoff.mjs: 20 attempts last 100 s

## Key Decisions
- **No fixed interval**: after an outage of northwind all waiting events are sent in the same second (thundering herd)

## Next Steps
1. Propose an exponential backoff with jitter`;

export async function decision(stage: Stage): Promise<void> {
  const cwd = stage.workspace.harbor;
  const pi = await stage.open({
    cwd,
    tools: "read,bash,write",
    script: {
      answers: [
        { text: "Reading the delivery code first.", calls: [read("src/deliver.ts")] },
        {
          text: [
            "Three ways to space the retries: a fixed interval, exponential backoff, exponential backoff with jitter.",
            "Events must not be dropped on ECONNREFUSED as src/deliver.ts does today. Which outage do we plan for?",
          ].join("\n"),
        },
        { calls: [bash("node scripts/simulate-backoff.mjs fixed 5000 5000 20")] },
        {
          text: "A fixed interval covers 100 s, and then every waiting event hits northwind in the same second.",
        },
        { when: "<conversation>", text: BRANCH_SUMMARY },
        {
          thinking: "Exponential, base 500 ms. The cap decides how long an event waits at worst.",
          text: "I propose a base of 500 ms and a cap of 10 minutes. Simulating 12 attempts.",
          calls: [bash("sleep 1; node scripts/simulate-backoff.mjs exponential 500 600000 12")],
        },
        {
          text: "Understood: cap 60 s, full jitter. Simulating that instead.",
          calls: [bash("node scripts/simulate-backoff.mjs exponential 500 60000 12")],
        },
        {
          text: [
            "Decision for the retry queue: exponential backoff with full jitter, base 500 ms, cap 60 s, 12 attempts.",
            "An event waits 181.75 s on average and 363.5 s at most; then it goes to the table `dead_letters`.",
            `I would write this down as ${DECISION_FILE}.`,
          ].join("\n"),
        },
        { calls: [call("write", { path: DECISION_FILE, content: DECISION_TEXT })] },
        {
          text: `Written: ${DECISION_FILE}. The implementation can start in the worktree harbor-retry-queue.`,
        },
      ],
    },
  });
  await pi.prompt("We need a retry queue for failed webhook deliveries. How should its backoff work?");
  await pi.prompt("Try the simplest: retry every 5 seconds, 20 times. What happens after an outage?");
  await pi.prompt("/rewind 2");
  const from = pi.events.length;
  await pi.send({ type: "prompt", message: "Then exponential. Propose base, cap and number of attempts." });
  await pi.waitFor((event) => event.type === "tool_execution_start", { from });
  const correction =
    "No, not 10 minutes: maintenance windows last about three. Cap at 60 s and use full jitter.";
  await pi.send({ type: "steer", message: correction });
  await pi.settled(from);
  await pi.prompt("/decide Draft 0007: exponential backoff, cap 10 minutes");
  await pi.prompt(
    "/decide Accepted 0007: exponential backoff with full jitter, base 500 ms, cap 60 s, 12 attempts",
  );
  await pi.prompt(`Accepted. Write it down as ${DECISION_FILE}.`);
  await pi.prompt("/bookmark decision: retry queue backoff");
  await pi.send({ type: "set_session_name", name: "Retry queue: decide the backoff" });
  const path = await pi.sessionFile();
  const shows =
    "the decision: a branch left and summarized, steering, custom entry and message, context edit, label, name";
  stage.remember("decision", path, shows);
  await pi.close();
  await fork(stage, path);
  await clone(stage, path);
}

async function fork(stage: Stage, source: string): Promise<void> {
  const pi = await stage.open({
    cwd: stage.workspace.harbor,
    args: ["--session", source],
    script: {
      answers: [
        {
          text: [
            "For contoso with its five events a day linear backoff would do, but two policies mean two sets of tests.",
            "I would keep one RetryPolicy for all partners and make only the number of attempts configurable.",
          ].join("\n"),
        },
      ],
    },
  });
  await pi.send({ type: "fork", entryId: await userMessageId(pi, "Then exponential") });
  await pi.prompt("What about linear backoff for partners with few events, like contoso?");
  stage.remember(
    "fork",
    await pi.sessionFile(),
    "a fork of `decision` before a user message (parentSession)",
  );
  await pi.close();
}

async function clone(stage: Stage, source: string): Promise<void> {
  const pi = await stage.open({
    cwd: stage.workspace.harbor,
    args: ["--session", source],
    script: {
      answers: [
        {
          text: [
            "Dear partners, from 0.5.0 on Harbor sends an event again when your endpoint refuses it.",
            "It tries 12 times with growing, random pauses of at most 60 seconds. You need not change anything,",
            "but an event may now arrive more than once: compare the `event-id` header.",
          ].join("\n"),
        },
      ],
    },
  });
  await pi.send({ type: "clone" });
  await pi.prompt("Draft the announcement of the retry queue to our partners.");
  await pi.send({ type: "set_session_name", name: "Announcement to partners" });
  stage.remember(
    "clone",
    await pi.sessionFile(),
    "a clone of `decision` with its whole active branch (parentSession)",
  );
  await pi.close();
}

async function userMessageId(pi: PiRpc, text: string): Promise<string> {
  const { messages } = await pi.send({ type: "get_fork_messages" });
  for (const message of Array.isArray(messages) ? messages : []) {
    if (isObject(message) && String(message.text).startsWith(text)) return String(message.entryId);
  }
  throw new Error(`no user message "${text}" to fork from`);
}
