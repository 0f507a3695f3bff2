/**
 * An inventory within its room. The collections share it fairly; of one that does not fit, the entries nearest to the
 * root stay, and the others are counted. An entry is left out whole, never shortened: half a command is a wrong one.
 */
import type { InventoryCollection, RepositoryInventory } from "../model.ts";
import { jsonLengthOf } from "../session/bound.ts";
import type { Collections } from "./inventory.ts";
import { fairShares } from "./share.ts";

/** Characters of the serialized inventory. */
export const MAX_INVENTORY_CHARS = 10_000;

const SOURCES = {
  packageScripts: "git-index",
  executableScripts: "git-index",
  agentInstructions: "git-index",
  skills: "pi-effective-registry",
} as const satisfies Record<InventoryCollection, string>;

/** @throws Error when not even empty collections fit */
export function fitInventory(whole: Collections, maxChars = MAX_INVENTORY_CHARS): RepositoryInventory {
  const complete = inventoryOf(whole, whole);
  if (jsonLengthOf(complete) <= maxChars) return complete;
  const { packageScripts, executableScripts, agentInstructions, skills } = whole;
  const room = maxChars - jsonLengthOf(inventoryOf(EMPTY, whole));
  if (room < 0) throw new Error(`an inventory does not fit into ${maxChars} characters`);
  const demands = [packageScripts, executableScripts, agentInstructions, skills].map((items) =>
    items.reduce((sum, item) => sum + costOf(item), 0),
  );
  const [forPackages = 0, forExecutables = 0, forInstructions = 0, forSkills = 0] = fairShares(demands, room);
  const kept = {
    packageScripts: keepWithin(packageScripts, forPackages, ({ path }) => path),
    executableScripts: keepWithin(executableScripts, forExecutables, (path) => path),
    agentInstructions: keepWithin(agentInstructions, forInstructions, (path) => path),
    skills: keepWithin(skills, forSkills, ({ path }) => path),
  };
  return inventoryOf(kept, whole);
}

const EMPTY: Collections = { packageScripts: [], executableScripts: [], agentInstructions: [], skills: [] };

function inventoryOf(kept: Collections, whole: Collections): RepositoryInventory {
  const omittedCounts = {
    packageScripts: whole.packageScripts.length - kept.packageScripts.length,
    executableScripts: whole.executableScripts.length - kept.executableScripts.length,
    agentInstructions: whole.agentInstructions.length - kept.agentInstructions.length,
    skills: whole.skills.length - kept.skills.length,
  };
  const isTruncated = Object.values(omittedCounts).some((count) => count > 0);
  return {
    available: true,
    worktreeVerified: false,
    sources: SOURCES,
    ...kept,
    omittedCounts,
    ...(isTruncated ? { truncated: true } : {}),
  };
}

/** Those that fit, tried from the root downwards; returned in the order given. */
function keepWithin<T extends object | string>(
  items: readonly T[],
  room: number,
  pathOf: (item: T) => string,
): readonly T[] {
  const depthOf = (item: T) => pathOf(item).split("/").length;
  const byDepth = items.map((item, i) => ({ item, i, depth: depthOf(item) }));
  byDepth.sort((a, b) => a.depth - b.depth || a.i - b.i);
  const kept = new Set<number>();
  let left = room;
  for (const { item, i } of byDepth) {
    const cost = costOf(item);
    if (cost > left) continue;
    left -= cost;
    kept.add(i);
  }
  return items.filter((_, i) => kept.has(i));
}

/** Its JSON and a comma. */
function costOf(item: object | string): number {
  return jsonLengthOf(item) + 1;
}
