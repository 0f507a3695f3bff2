/**
 * Where Pi keeps its files, as Pi decides it. Computed here because importing Pi for it costs the host some 400 ms
 * and the command line has no Pi at all.
 */
import { homedir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { messageOf } from "../session/json.ts";
import { ParameterError } from "../session/parameterError.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** `PI_CODING_AGENT_DIR`, else `~/.pi/agent`. */
export function agentDirOf(environment: Environment): string {
  const given = environment["PI_CODING_AGENT_DIR"];
  return given ? expandHome(given) : path.join(homedir(), ".pi", "agent");
}

/** The directory of session files below an agent directory. */
export function sessionsRootOf(agentDir: string): string {
  return path.join(agentDir, "sessions");
}

/** The file of the index below an agent directory. */
export function indexPathOf(agentDir: string): string {
  return path.join(agentDir, "config", "pi-retrospect", "index.db");
}

/** A leading `~` is the home directory and a `file:` URL a path, as in Pi's settings. */
export function expandHome(given: string): string {
  if (given.startsWith("file:")) return pathOfUrl(given);
  return given === "~" || /^~[/\\]/.test(given) ? path.join(homedir(), given.slice(1)) : given;
}

function pathOfUrl(url: string): string {
  try {
    return fileURLToPath(url);
  } catch (error) {
    throw new ParameterError(`${url} names no file here: ${messageOf(error)}`);
  }
}
