/** Which store a command works on: flags first, then what Pi would use. */
import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import type { JsonObject } from "../../model.ts";
import { isJsonObject, isNonEmptyString, messageOf, parseJson } from "../../session/json.ts";
import { ParameterError } from "../../session/parameterError.ts";
import { agentDirOf, type Environment, expandHome, indexPathOf, sessionsRootOf } from "../agentDir.ts";
import type { SearchOptions } from "../searchSessions.ts";
import { indexSettingsOf, requireAllowedProjects, SETTINGS_KEY } from "../settings.ts";

export interface StoreFlags {
  readonly agentDir?: string;
  readonly root?: readonly string[];
  readonly index?: string;
  readonly respectAllowlist?: boolean;
}

export interface CliHost {
  readonly environment: Environment;
  readonly workingDirectory: string;
  /** Tells the person something that is no result. */
  readonly warn: (message: string) => void;
}

export interface CliStore extends SearchOptions {
  readonly indexPath?: string;
}

/**
 * `--root` names the roots. Otherwise the agent directory's sessions are read and, when Pi is told to keep sessions
 * elsewhere (`PI_CODING_AGENT_SESSION_DIR`, else the setting `sessionDir`), that directory as well. Inside a shell
 * that an agent runs, `PI_SESSION_FILE` names the current session. The agent directory's index is not used for roots
 * that are named: they may not belong to it.
 */
export function storeOf(flags: StoreFlags, host: CliHost): CliStore {
  const currentSessionPath = host.environment["PI_SESSION_FILE"];
  const resolve = (given: string) => path.resolve(host.workingDirectory, expandHome(given));
  if (flags.root?.includes("")) throw new ParameterError("--root must name a directory, got nothing");
  const agentDir = resolve(flags.agentDir ?? agentDirOf(host.environment));
  const files = [
    path.join(agentDir, "settings.json"),
    path.join(host.workingDirectory, ".pi", "settings.json"),
  ];
  const settings = files.map((file) => readSettings(file, host.warn));
  const common = {
    currentSessionPath,
    excludePrefixes: indexSettingsOf(() => settings.findLast((values) => values[SETTINGS_KEY] !== undefined))
      .excludePrefixes,
    ...(flags.respectAllowlist
      ? { allowedProjects: requireAllowedProjects(agentDir, () => settings[1]) }
      : {}),
  };
  const [firstRoot, ...otherRoots] = (flags.root ?? []).map(resolve);
  const index = flags.index === undefined ? undefined : resolve(flags.index);
  if (firstRoot !== undefined) {
    return {
      ...common,
      sessionsRoot: firstRoot,
      additionalRoots: otherRoots,
      ...(index === undefined ? {} : { indexPath: index }),
    };
  }
  const sessionDir =
    (flags.agentDir === undefined && host.environment["PI_CODING_AGENT_SESSION_DIR"]) ||
    settings.map((values) => values["sessionDir"]).findLast(isNonEmptyString);
  const additionalRoots = sessionDir ? [resolve(sessionDir)] : [];
  return {
    ...common,
    sessionsRoot: sessionsRootOf(agentDir),
    additionalRoots,
    indexPath: index ?? indexPathOf(agentDir),
  };
}

function isDirectory(at: string): boolean {
  return statSync(at, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** The roots, when none of them is there: Pi has kept no session yet, or keeps them elsewhere. */
export function missingRootsOf({ sessionsRoot, additionalRoots = [] }: CliStore): readonly string[] {
  const roots = [sessionsRoot, ...additionalRoots];
  return roots.some(isDirectory) ? [] : roots;
}

/** The project's settings go before the user's, as in Pi. A file that is not there, or is no object, sets nothing. */
function readSettings(settingsPath: string, warn: CliHost["warn"]): JsonObject {
  let text: string;
  try {
    text = readFileSync(settingsPath, "utf8");
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) {
      warn(`settings not readable and not used: ${settingsPath}: ${messageOf(error)}`);
    }
    return {};
  }
  const parsed = parseJson(text.replace(/^\ufeff/, ""));
  if (!parsed.ok) warn(`settings are not JSON and not used: ${settingsPath}: ${parsed.reason}`);
  return parsed.ok && isJsonObject(parsed.value) ? parsed.value : {};
}
