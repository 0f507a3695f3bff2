/** Skills as Pi's effective command registry names them: those whose file really lies inside a repository. */
import { realpathSync } from "node:fs";
import path from "node:path";
import { isStrictlyInside } from "../session/store.ts";

/** A skill of the registry. */
export interface RegisteredSkill {
  /** As it is invoked: `skill:<name>`. */
  readonly name: string;
  readonly description: string;
  /** Where it was loaded from. */
  readonly path: string;
}

/** The part of an entry of Pi's `getCommands()` that matters. */
export interface RegisteredCommand {
  readonly name: string;
  readonly description?: string | undefined;
  readonly source: string;
  readonly sourceInfo: { readonly path: string };
}

export function registeredSkills(commands: readonly RegisteredCommand[]): readonly RegisteredSkill[] {
  return commands
    .filter(({ source }) => source === "skill")
    .map(({ name, description = "", sourceInfo }) => ({ name, description, path: sourceInfo.path }));
}

/** With paths relative to the canonical root, as those of the index are. */
export function skillsInside(root: string, skills: readonly RegisteredSkill[]): readonly RegisteredSkill[] {
  return skills.flatMap(({ name, description, path: source }) => {
    const real = realPathOf(source);
    if (real === undefined || !isStrictlyInside(real, root)) return [];
    return [{ name, description, path: path.relative(root, real).split(path.sep).join("/") }];
  });
}

/** Undefined for what is gone, and for a skill that never was a file. */
function realPathOf(source: string): string | undefined {
  if (!path.isAbsolute(source)) return undefined;
  try {
    return realpathSync.native(source);
  } catch {
    return undefined;
  }
}
