/** Which store a command works on: flags first, then what Pi would use. */
import { readFileSync } from "node:fs";
import path from "node:path";
import type { StoreOptions } from "../../model.ts";
import { isJsonObject, isNonEmptyString, messageOf, parseJson } from "../../session/json.ts";
import { ParameterError } from "../../session/parameterError.ts";
import { agentDirOf, type Environment, expandHome, sessionsRootOf } from "../agentDir.ts";

export interface StoreFlags {
  readonly agentDir?: string;
  readonly root?: readonly string[];
}

export interface CliHost {
  readonly environment: Environment;
  readonly workingDirectory: string;
  /** Tells the person something that is no result. */
  readonly warn: (message: string) => void;
}

/**
 * `--root` names the roots. Otherwise the agent directory's sessions are read and, when Pi is told to keep sessions
 * elsewhere (`PI_CODING_AGENT_SESSION_DIR`, else the setting `sessionDir`), that directory as well. Inside a shell
 * that an agent runs, `PI_SESSION_FILE` names the current session.
 */
export function storeOf(flags: StoreFlags, host: CliHost): StoreOptions {
  const currentSessionPath = host.environment["PI_SESSION_FILE"];
  const resolve = (given: string) => path.resolve(host.workingDirectory, expandHome(given));
  if (flags.root?.includes("")) throw new ParameterError("--root must name a directory, got nothing");
  const [firstRoot, ...otherRoots] = (flags.root ?? []).map(resolve);
  if (firstRoot !== undefined)
    return { sessionsRoot: firstRoot, additionalRoots: otherRoots, currentSessionPath };

  const agentDir = resolve(flags.agentDir ?? agentDirOf(host.environment));
  const settings = [
    path.join(agentDir, "settings.json"),
    path.join(host.workingDirectory, ".pi", "settings.json"),
  ];
  const sessionDir =
    (flags.agentDir === undefined && host.environment["PI_CODING_AGENT_SESSION_DIR"]) ||
    settings.map((file) => sessionDirSetting(file, host.warn)).findLast((value) => value !== undefined);
  const additionalRoots = sessionDir ? [resolve(sessionDir)] : [];
  return { sessionsRoot: sessionsRootOf(agentDir), additionalRoots, currentSessionPath };
}

/** The project's setting goes before the user's, as in Pi. A file that is not there sets nothing. */
function sessionDirSetting(settingsPath: string, warn: CliHost["warn"]): string | undefined {
  let text: string;
  try {
    text = readFileSync(settingsPath, "utf8");
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) {
      warn(`settings not readable, its sessionDir is not used: ${settingsPath}: ${messageOf(error)}`);
    }
    return undefined;
  }
  const parsed = parseJson(text.replace(/^\ufeff/, ""));
  if (!parsed.ok) {
    warn(`settings are not JSON, their sessionDir is not used: ${settingsPath}: ${parsed.reason}`);
    return undefined;
  }
  const sessionDir = isJsonObject(parsed.value) ? parsed.value["sessionDir"] : undefined;
  return isNonEmptyString(sessionDir) ? sessionDir : undefined;
}
