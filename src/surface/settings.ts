/**
 * The settings under `piRetrospect` in Pi's `settings.json`. Everything here is read when it is needed, never while the
 * extension loads. What bounds access fails closed: a list that cannot be read never means everything.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import type { AllowedProjects, JsonObject } from "../model.ts";
import { parseProjectList } from "../session/access.ts";
import { isJsonObject, isNonEmptyString, parseJson } from "../session/json.ts";

export const SETTINGS_KEY = "piRetrospect";

/** Prepended to the text of a steering message. */
export const STEERING_MARKER = "STEERING: ";

export interface IndexSettings {
  readonly enabled: boolean;
  readonly background: boolean;
  /** Starts of names of project directories, of a default root, that are not searched. */
  readonly excludePrefixes: readonly string[];
}

/** Sessions that ran in a temporary directory are left out of searches. */
export const DEFAULT_INDEX_SETTINGS: IndexSettings = {
  enabled: true,
  background: true,
  excludePrefixes: ["--tmp-", "--private-tmp-"],
};

/** A malformed or unreadable bound. Names the setting and nothing else. */
export class SettingError extends Error {
  override readonly name = "SettingError";
}

/**
 * The user's own list and the effective one, which a trusted project's settings may have replaced: both bound, so a
 * project narrows and never widens. Undefined when neither bounds anything.
 *
 * @throws SettingError
 */
export function requireAllowedProjects(
  agentDir: string,
  effective: () => unknown,
): AllowedProjects | undefined {
  const lists = [userSettings(agentDir), effectiveSettings(effective)].flatMap((settings) => {
    const own = ownSettings(settings);
    if (own === undefined || own.allowedProjects === undefined) return [];
    const list = parseProjectList(own.allowedProjects);
    if (list === undefined) throw malformed();
    return [list];
  });
  return lists.length === 0 ? undefined : lists;
}

/** Only the boolean `true` counts; settings that cannot be read mark nothing. */
export function marksSteering(effective: () => unknown): boolean {
  try {
    return ownSettings(effective())?.markSteeringMessages === true;
  } catch {
    return false; // Pi reports unreadable settings itself; here they mean the default
  }
}

/** What is absent or malformed has its default: these settings bound nothing. */
export function indexSettingsOf(effective: () => unknown): IndexSettings {
  let given: unknown;
  try {
    given = ownSettings(effective())?.index;
  } catch {
    given = undefined; // Pi reports unreadable settings itself; here they mean the default
  }
  const { enabled, background, excludePrefixes } = isJsonObject(given) ? given : {};
  const defaults = DEFAULT_INDEX_SETTINGS;
  const isList = Array.isArray(excludePrefixes) && excludePrefixes.every(isNonEmptyString);
  return {
    enabled: typeof enabled === "boolean" ? enabled : defaults.enabled,
    background: typeof background === "boolean" ? background : defaults.background,
    excludePrefixes: isList ? excludePrefixes : defaults.excludePrefixes,
  };
}

function effectiveSettings(effective: () => unknown): unknown {
  try {
    return effective();
  } catch {
    throw malformed();
  }
}

function userSettings(agentDir: string): unknown {
  let text: string;
  try {
    text = readFileSync(path.join(agentDir, "settings.json"), "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw malformed();
  }
  const parsed = parseJson(text.replace(/^\ufeff/, ""));
  if (!parsed.ok || !isJsonObject(parsed.value)) throw malformed();
  return parsed.value;
}

/** Our part of the settings: absent, or an object. */
function ownSettings(settings: unknown): JsonObject | undefined {
  const own = isJsonObject(settings) ? settings[SETTINGS_KEY] : undefined;
  if (own === undefined) return undefined;
  if (!isJsonObject(own)) throw malformed();
  return own;
}

function malformed(): SettingError {
  return new SettingError(
    `the setting ${SETTINGS_KEY}.allowedProjects is malformed or unreadable; expected an array of project basenames, or "*" in it`,
  );
}
