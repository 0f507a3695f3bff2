/**
 * Runs an operation as a user for whom permissions count. CI runs as root, who may read everything, so there the call
 * is made by a child process with another user id.
 */
import { spawnSync } from "node:child_process";
import path from "node:path";

const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
const MODULES = {
  listSessions: "../../src/list/listSessions.ts",
  readSessionEntries: "../../src/entries/readSessionEntries.ts",
} as const;

/** What the call resolved to, or how it was rejected. */
export type Outcome = { readonly output: unknown } | { readonly error: string };

/** True when calls can be made by a user without root's rights; says aloud when not. */
export function canBeOtherUser(): boolean {
  const probe = isRoot ? runAsOther("listSessions", {}, { sessionsRoot: "/" }) : { output: undefined };
  const canRun = process.getuid !== undefined && probe !== undefined && "output" in probe;
  if (!canRun)
    console.warn("SKIPPED: permission faults, because no process can be run without root's rights here");
  return canRun;
}

/** Undefined when the process could not be run at all. */
export function runAsOther(
  name: keyof typeof MODULES,
  params: unknown,
  options: unknown,
): Outcome | undefined {
  const module = path.join(import.meta.dirname, MODULES[name]);
  const script = `
    import { ${name} } from ${JSON.stringify(module)};
    const [params, options] = JSON.parse(process.argv[1]);
    const print = (outcome) => process.stdout.write(JSON.stringify(outcome));
    await ${name}(params, options).then((output) => print({ output }), (error) => print({ error: error.message }));
  `;
  const user = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
  const args = ["--no-warnings", "--input-type=module", "-e", script, JSON.stringify([params, options])];
  const { status, stdout } = spawnSync(process.execPath, args, { ...user, cwd: "/", encoding: "utf8" });
  return status === 0 && stdout !== "" ? (JSON.parse(stdout) as Outcome) : undefined;
}
