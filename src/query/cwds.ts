/** The `cwds` and `cwdMatch` filters: lexical rules on the header's string, no git metadata, realpath or case folding. */
import path from "node:path";
import type { CwdMatch } from "../model.ts";
import { optionalChoice, optionalStrings, refuseParameter } from "./params.ts";

export const CWD_MATCHES = ["exact", "sibling-prefix"] as const satisfies readonly CwdMatch[];

export interface CwdFilter {
  /** Requested directories without trailing separators; undefined keeps everything. */
  readonly directories: readonly string[] | undefined;
  readonly match: CwdMatch;
}

export function requireCwdFilter(cwds: unknown, cwdMatch: unknown): CwdFilter {
  const match = optionalChoice("cwdMatch", cwdMatch, CWD_MATCHES) ?? "exact";
  const given = optionalStrings("cwds", cwds);
  for (const cwd of given ?? []) {
    if (!path.posix.isAbsolute(cwd) && !path.win32.isAbsolute(cwd)) {
      refuseParameter("cwds", cwd, "absolute paths (a session's header never holds a relative one)");
    }
  }
  return { directories: given?.map(withoutTrailingSeparators), match };
}

export function isCwdKept(cwd: string, filter: CwdFilter): boolean {
  if (filter.directories === undefined) return true;
  const candidate = withoutTrailingSeparators(cwd);
  return filter.directories.some(
    (directory) =>
      candidate === directory || (filter.match === "sibling-prefix" && isSiblingOf(candidate, directory)),
  );
}

/** Same parent, and a basename that starts with the requested one and a hyphen. */
function isSiblingOf(candidate: string, directory: string): boolean {
  const prefix = `${directory}-`;
  if (directory === "" || !candidate.startsWith(prefix)) return false;
  const rest = candidate.slice(prefix.length);
  return !(isPosix(directory) ? rest.includes("/") : /[/\\]/.test(rest));
}

function withoutTrailingSeparators(directory: string): string {
  const separators = isPosix(directory) ? "/" : "/\\";
  let end = directory.length;
  while (end > 0 && separators.includes(directory.charAt(end - 1))) end--;
  return directory.slice(0, end);
}

/** In a POSIX path a backslash is an ordinary character. */
function isPosix(directory: string): boolean {
  return directory.startsWith("/");
}
