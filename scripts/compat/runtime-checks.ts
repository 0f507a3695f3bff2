/** The installed library and command line under another runtime. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { npm } from "../../test/support/pack.ts";
import { attempt } from "./pi-checks.ts";
import { type Check, requireEqual } from "./report.ts";

export const RUNTIME_COLUMNS = ["install", "library", "list", "entries", "search", "index", "doctor"];

/** @param runtime executable that runs JavaScript */
export async function checkRuntime(
  runtime: string,
  tarball: string,
  samples: string,
): Promise<readonly Check[]> {
  const project = mkdtempSync(path.join(tmpdir(), "pi-retrospect-runtime-"));
  const agentDir = path.join(project, "agent");
  const run = (args: readonly string[]) =>
    execFileSync(runtime, args, {
      cwd: project,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, PI_CODING_AGENT_DIR: agentDir, NO_COLOR: "1" },
    });
  const bin = path.join("node_modules", "pi-retrospect", "dist", "cli.mjs");
  const json = (...args: readonly string[]): Readonly<Record<string, unknown>> =>
    JSON.parse(run([bin, ...args, "--root", samples, "--json"]));
  const index = ["--index", path.join(project, "cli.db")];
  try {
    return [
      await attempt("install", async () => {
        npm(["init", "-y"], project);
        npm(["install", "--offline", "--no-audit", "--no-fund", tarball], project);
      }),
      await attempt("library", async () => {
        requireEqual(
          "library",
          run(["-e", libraryScript(samples, path.join(project, "own.db"))]),
          "3 4 same\n",
        );
      }),
      await attempt("list", async () => {
        requireEqual("rows", lengthOf(json("list", "--limit", "2")["sessions"]), 2);
      }),
      await attempt("entries", async () => {
        const { sessions } = json("list", "--limit", "1");
        const [first] = sessions as readonly { readonly path: string }[];
        requireEqual("rows", lengthOf(json("entries", first?.path ?? "", "--limit", "3")["entries"]), 3);
      }),
      await attempt("search", async () => {
        const { results, syncWarning } = json("search", "backoff jitter", ...index);
        requireEqual("hits", [lengthOf(results) > 0, syncWarning], [true, undefined]);
      }),
      await attempt("index", async () => void json("index", "--rebuild", ...index)),
      await attempt("doctor", async () => void run([bin, "doctor", "--root", samples, ...index])),
    ];
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
}

function lengthOf(value: unknown): number {
  return Array.isArray(value) ? value.length : -1;
}

const libraryScript = (sessionsRoot: string, indexPath: string) => `
  import { listSessions, readSessionEntries, searchSessions } from "pi-retrospect";
  const store = ${JSON.stringify({ sessionsRoot })};
  const { sessions } = await listSessions({ limit: 3 }, store);
  const { entries } = await readSessionEntries({ sessionPath: sessions[0].path, limit: 4 }, store);
  const ask = (options) => searchSessions({ query: "backoff jitter" }, { ...options, syncBudgetMs: 60000 });
  const indexed = await ask({ ...store, indexPath: ${JSON.stringify(indexPath)} });
  const scanned = await ask(store);
  const same = indexed.results.length > 0 && JSON.stringify(indexed) === JSON.stringify(scanned);
  console.log(sessions.length, entries.length, same ? "same" : "different");
`;
