/**
 * Which projects a call may reach. A project is named by the last segment of a session's working directory; `app` also
 * allows `app-<anything>`, as worktrees are named. The rule is lexical and case counts.
 */
import type { AllowedProjects } from "../model.ts";
import { isNonEmptyString } from "./json.ts";

/** True when a session with this header value may be seen. One without a usable working directory may not. */
export type AccessTest = (cwd: unknown) => boolean;

export const ANY_PROJECT = "*";

/** Undefined when nothing is bounded. Every list must allow a project, so a further list only ever narrows. */
export function accessTestOf(allowed: AllowedProjects | undefined): AccessTest | undefined {
  const lists = (allowed ?? []).filter((list) => !list.includes(ANY_PROJECT));
  if (lists.length === 0) return undefined;
  return (cwd) => {
    const project = isNonEmptyString(cwd) ? projectOf(cwd) : undefined;
    if (project === undefined) return false;
    return lists.every((list) => list.some((name) => project === name || project.startsWith(`${name}-`)));
  };
}

/** A list as a setting holds it, or undefined when the value is none: fail closed then. */
export function parseProjectList(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const isName = (item: unknown) =>
    isNonEmptyString(item) && item !== "." && item !== ".." && !/[/\\]/.test(item);
  return value.every(isName) ? value : undefined;
}

/** The last non-empty segment of a working directory in POSIX or Windows spelling. */
export function projectOf(cwd: string): string | undefined {
  return cwd.split(cwd.startsWith("/") ? "/" : /[/\\]/).findLast((segment) => segment !== "");
}
