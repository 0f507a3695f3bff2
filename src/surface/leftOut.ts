/** Says which projects are not searched, where somebody finds nothing. */
import { readdirSync } from "node:fs";
import type { StoreOptions } from "../model.ts";
import { accessTestOf } from "../session/access.ts";
import { isProjectDirectoryName } from "../session/names.ts";
import { requireRoots } from "../session/store.ts";
import { countOf } from "./labels.ts";
import { DEFAULT_INDEX_SETTINGS } from "./settings.ts";

/** A sentence without a full stop; undefined when every project is searched, and when not every one may be seen. */
export function leftOutNote(
  store: StoreOptions,
  excludePrefixes: readonly string[] = DEFAULT_INDEX_SETTINGS.excludePrefixes,
): string | undefined {
  if (accessTestOf(store.allowedProjects) !== undefined) return undefined;
  const isLeftOut = (name: string) =>
    isProjectDirectoryName(name) && excludePrefixes.some((prefix) => name.startsWith(prefix));
  const names = requireRoots(store).flatMap(namesIn).filter(isLeftOut);
  if (names.length === 0) return undefined;
  const used = excludePrefixes.filter((prefix) => names.some((name) => name.startsWith(prefix)));
  const projects = countOf(names.length, "project directory").replace(/directorys$/, "directories");
  return `${projects} named ${used.map((prefix) => `${prefix}…`).join(" or ")} ${names.length === 1 ? "is" : "are"} not searched (setting index.excludePrefixes)`;
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    return []; // an unreadable root is told by the answer itself
  }
}
