/**
 * The invented home directory in which the recording takes place: the projects harbor (with a git worktree
 * beside it) and lighthouse, as real files that the recorded tools read, run and change.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { makeAgentDir } from "../../test/support/pi-run.ts";

export interface Workspace {
  /** Stands for `/`: everything of the story lies below. */
  readonly root: string;
  readonly home: string;
  readonly agentDir: string;
  readonly harbor: string;
  readonly retryQueue: string;
  readonly lighthouse: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  dispose(): void;
}

const SETTINGS = { compaction: { keepRecentTokens: 110 }, retry: { baseDelayMs: 50 } };

export function buildWorkspace(): Workspace {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "pi-record-")));
  const home = join(root, "home", "ada");
  const project = (name: string) => join(home, "projects", name);
  const environment = {
    HOME: home,
    USER: "ada",
    LOGNAME: "ada",
    HOSTNAME: undefined,
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_AUTHOR_NAME: "Ada",
    GIT_AUTHOR_EMAIL: "ada@harbor.example",
    GIT_COMMITTER_NAME: "Ada",
    GIT_COMMITTER_EMAIL: "ada@harbor.example",
    NODE_NO_WARNINGS: "1",
    NO_COLOR: "1",
  };
  const [harbor, retryQueue, lighthouse] = [
    project("harbor"),
    project("harbor-retry-queue"),
    project("lighthouse"),
  ];
  write(harbor, HARBOR);
  write(lighthouse, LIGHTHOUSE);
  for (const directory of [harbor, lighthouse]) {
    git(directory, environment, "init", "--quiet", "--initial-branch=main");
    git(directory, environment, "add", ".");
    git(directory, environment, "commit", "--quiet", "--message=Deliver webhooks and show their state");
  }
  git(harbor, environment, "worktree", "add", "--quiet", "-b", "retry-queue", retryQueue);
  const agent = makeAgentDir(SETTINGS, join(home, ".pi", "agent"));
  const dispose = () => rmSync(root, { recursive: true, force: true, maxRetries: 3 });
  return { root, home, agentDir: agent.path, harbor, retryQueue, lighthouse, environment, dispose };
}

function git(cwd: string, environment: Workspace["environment"], ...args: string[]): void {
  execFileSync("git", args, { cwd, env: { ...process.env, ...environment } });
}

function write(directory: string, files: Readonly<Record<string, string>>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, name)), { recursive: true });
    writeFileSync(join(directory, name), content);
  }
}

const LOG_LINES = Array.from({ length: 30 }, (_, index) => {
  const clock = `09:${String(14 + Math.floor(index / 2)).padStart(2, "0")}:${index % 2 === 0 ? "07" : "37"}`;
  return `${clock} worker deliver evt_${4100 + index} to northwind: connect ECONNREFUSED 127.0.0.1:47071, dropped`;
});

const HARBOR = {
  "AGENTS.md":
    "Harbor delivers webhooks to partners. Decisions live in docs/decisions/, one numbered file each.\n",
  "package.json": `${JSON.stringify({ name: "harbor", version: "0.4.0", type: "module", private: true }, null, 2)}\n`,
  "src/deliver.ts": `import { partners } from "./partners.ts";

export interface WebhookEvent {
  readonly id: string;
  readonly partner: string;
  readonly body: string;
}

/** Sends one event. A refused connection is logged and the event is dropped. */
export async function deliver(event: WebhookEvent): Promise<boolean> {
  try {
    const response = await fetch(partners[event.partner], { method: "POST", body: event.body });
    return response.ok;
  } catch (error) {
    console.error(\`deliver \${event.id} to \${event.partner}: \${error.cause?.message}, dropped\`);
    return false;
  }
}
`,
  "src/partners.ts": `export const partners = { northwind: "http://127.0.0.1:47071/hooks", contoso: "http://127.0.0.1:47072/hooks" };\n`,
  "src/worker.ts": `import { deliver } from "./deliver.ts";
import { nextEvent } from "./queue.ts";

for (let event = nextEvent(); event !== undefined; event = nextEvent()) await deliver(event);
`,
  "src/replay.ts": `import { deliver } from "./deliver.ts";

export const replay = (events) => Promise.all(events.map((event) => deliver(event)));
`,
  "src/queue.ts": `const events = [];

export const push = (event) => events.push(event);
export const nextEvent = () => events.shift();
`,
  "docs/decisions/0006-one-worker-per-partner.md": `# 0006 One worker per partner

A slow partner must not delay the others, so each partner has its own queue and worker.
`,
  "logs/worker.log": `${LOG_LINES.join("\n")}\n`,
  "scripts/ping-partner.mjs": `import { connect } from "node:net";

const ports = { northwind: 47071, contoso: 47072 };
const partner = process.argv[2];
const socket = connect(ports[partner], "127.0.0.1");
socket.on("connect", () => process.exit(0));
socket.on("error", (error) => {
  console.error(\`ping \${partner}: \${error.message} (\${error.code})\`);
  process.exit(1);
});
`,
  "scripts/simulate-backoff.mjs": `// usage: simulate-backoff.mjs <fixed|exponential> <baseMs> <capMs> <attempts>
const [strategy, base, cap, attempts] = [process.argv[2], ...process.argv.slice(3).map(Number)];
let total = 0;
for (let attempt = 0; attempt < attempts; attempt++) {
  total += strategy === "fixed" ? base : Math.min(cap, base * 2 ** attempt);
}
const mean = strategy === "fixed" ? total : total / 2;
console.log(\`\${strategy} attempts=\${attempts} longest=\${total / 1000}s mean=\${mean / 1000}s\`);
if (strategy === "fixed") console.log("after an outage all waiting events are sent in the same second");
`,
};

const LIGHTHOUSE = {
  "package.json": `${JSON.stringify({ name: "lighthouse", version: "1.2.0", type: "module", private: true }, null, 2)}\n`,
  "src/status.ts": `export const rows = [
  { service: "harbor", metric: "delivered", path: "/metrics/delivered" },
  { service: "harbor", metric: "queued", path: "/metrics/queued" },
];
`,
};
