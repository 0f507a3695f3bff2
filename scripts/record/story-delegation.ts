/** Subagents in the foreground and background and a grandchild; an aborted run; a session kept warm. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { bash, call, read, type Stage } from "./stage.ts";

export async function delegation(stage: Stage): Promise<void> {
  const scout = "List every caller of deliver() with its file and line.";
  const reviewer = "Review whether each caller of deliver() survives a retry of the same event.";
  const auditor = "Audit src/queue.ts: can an event be lost when the process stops?";
  const pi = await stage.open({
    cwd: stage.workspace.harbor,
    tools: "read,bash,subagent",
    script: {
      answers: [
        {
          text: "Two agents look at the callers now.",
          calls: [
            call("subagent", {
              tasks: [
                { agent: "scout", task: scout },
                { agent: "reviewer", task: reviewer },
              ],
            }),
          ],
        },
        {
          text: "A third one audits the queue in the background meanwhile.",
          calls: [call("subagent", { tasks: [{ agent: "auditor", task: auditor }], async: true })],
        },
        {
          text: [
            "deliver() is called in src/worker.ts and src/replay.ts. The worker is safe to retry, the replay is not:",
            "it sends all events at once, so a retry doubles them. The audit of src/queue.ts is still running.",
          ].join("\n"),
        },
        {
          text: "The auditor found that src/queue.ts keeps events in memory only: a restart loses them. They need a table.",
        },
      ],
    },
    agents: {
      scout: {
        answers: [
          { calls: [bash("grep -n 'deliver(' src/*.ts")] },
          {
            text: "Callers: src/worker.ts:4 awaits one delivery at a time; src/replay.ts:3 starts all at once.",
          },
        ],
      },
      reviewer: {
        answers: [
          {
            text: "I let a checker look at the replay separately.",
            calls: [
              call("subagent", {
                tasks: [{ agent: "checker", task: "Does src/replay.ts wait for refused events?" }],
              }),
            ],
          },
          {
            text: "src/worker.ts is idempotent. src/replay.ts is not: Promise.all ignores a false from deliver().",
          },
        ],
      },
      checker: {
        answers: [
          { calls: [read("src/replay.ts")] },
          {
            text: "No. src/replay.ts:3 uses Promise.all and never looks at the results, so ECONNREFUSED goes unnoticed.",
          },
        ],
      },
      auditor: {
        answers: [
          { calls: [read("src/queue.ts")] },
          {
            text: "Yes. `events` in src/queue.ts is an array in memory; whatever waits at a restart is lost.",
          },
        ],
      },
    },
  });
  const from = pi.events.length;
  await pi.prompt("Find every caller of deliver() and review whether it can be retried. Use subagents.");
  const isNotice = (event: unknown) => JSON.stringify(event).includes("subagent-notify");
  await pi.waitFor((event) => event.type === "message_end" && isNotice(event), { from });
  await pi.prompt("What did the auditor find?");
  const path = await pi.sessionFile();
  stage.remember(
    "delegation",
    path,
    "subagents: two in the foreground, one with a grandchild, one in the background",
  );
  await pi.close();
  rememberAgents(stage, path.replace(/\.jsonl$/, ""));
}

const AGENTS: readonly (readonly [string, RegExp, string])[] = [
  ["scout", /^\w+\/run-0\/session\.jsonl$/, "subagent of `delegation` in the foreground, first task"],
  ["reviewer", /^\w+\/run-1\/session\.jsonl$/, "subagent of `delegation` in the foreground, second task"],
  ["checker", /^\w+\/run-1\/session\/\w+\/run-0\/session\.jsonl$/, "subagent of `reviewer`: a grandchild"],
  ["auditor", /^\w+\/async-\w+\/[^/]+\.jsonl$/, "subagent of `delegation` in the background"],
];

function rememberAgents(stage: Stage, container: string): void {
  const files = readdirSync(container, { recursive: true, encoding: "utf8" });
  for (const [name, pattern, shows] of AGENTS) {
    const file = files.find((candidate) => pattern.test(candidate));
    if (file === undefined) throw new Error(`no session of ${name}`);
    stage.remember(name, join(container, file), shows);
  }
}

export async function abortedRun(stage: Stage): Promise<void> {
  const plan =
    "I will write bench/load.mjs, which sends 10,000 events per minute to every partner endpoint, and then ";
  const pi = await stage.open({
    cwd: stage.workspace.harbor,
    script: {
      answers: [
        {
          text: plan + "measure how the worker keeps up while northwind answers slowly. ".repeat(20),
          tokensPerSecond: 60,
        },
        {
          text: [
            "Agreed: no load on partner endpoints. bench/load.mjs will only talk to the stub on port 47071 and refuse",
            "any other host.",
          ].join("\n"),
        },
      ],
    },
  });
  const from = pi.events.length;
  await pi.send({ type: "prompt", message: "Write a load test for the delivery worker." });
  let deltas = 0;
  await pi.waitFor((event) => event.type === "message_update" && ++deltas === 10, { from });
  await pi.send({ type: "abort" });
  await pi.settled(from);
  await pi.prompt("Stop, wrong direction: never send load to partner endpoints. Use the stub only.");
  stage.remember(
    "aborted",
    await pi.sessionFile(),
    "a run that the user aborted, and the correction that followed",
  );
  await pi.close();
}

export async function keptWarm(stage: Stage): Promise<void> {
  const pi = await stage.open({
    cwd: stage.workspace.harbor,
    script: {
      promptCacheSeconds: 11,
      answers: [
        {
          text: [
            "Review of the branch retry-queue: src/retry-queue.ts follows decision 0007 (base 500 ms, cap 60 s, full",
            "jitter, 12 attempts). One remark: RetryQueue keeps timers alive, so the worker cannot exit.",
          ].join("\n"),
        },
        { when: "review", text: "." },
        { text: "With `timer.unref()` the worker exits when its queue is empty. Ready to merge." },
      ],
    },
  });
  const from = pi.events.length;
  await pi.prompt("Please review the branch retry-queue.");
  await pi.waitFor(
    (event) => event.type === "entry_appended" && JSON.stringify(event).includes("cache_warm"),
    { from },
  );
  await pi.prompt("The timers are unref'ed now. Anything else before I merge?");
  await pi.send({ type: "set_session_name", name: "Review of the retry queue" });
  stage.remember(
    "review",
    await pi.sessionFile(),
    "a usage entry: Pi kept the prompt cache warm between two prompts",
  );
  await pi.close();
}
