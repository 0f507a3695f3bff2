/**
 * What automation a repository already has, from Git's index and Pi's registry. Never from the work tree, and never a
 * guess: what cannot be told exactly makes the inventory unavailable.
 */
import type { InventoryCollection, RepositoryInventory } from "../model.ts";
import { isJsonObject, parseJson } from "../session/json.ts";
import { runGit } from "./git.ts";
import { type IndexEntry, InventoryError, parseBlobs, parseIndex } from "./gitIndex.ts";
import { isAgentInstruction } from "./instructions.ts";
import { type RegisteredSkill, skillsInside } from "./skillRegistry.ts";

type Available = Extract<RepositoryInventory, { readonly available: true }>;
/** The collections whole, before they are fitted into their room. */
export type Collections = Pick<Available, InventoryCollection>;

/** Bytes of all indexed `package.json` files together. */
export const MAX_MANIFEST_BYTES = 16 * 1024 * 1024;

const LIST_INDEX = ["ls-files", "--stage", "-z", "--full-name", "--no-recurse-submodules"];

/**
 * Each collection in order of its paths.
 *
 * @throws GitError, InventoryError when the inventory cannot be had
 * @throws the signal's reason when aborted
 */
export async function readInventory(
  root: string,
  skills: readonly RegisteredSkill[],
  signal: AbortSignal | undefined,
): Promise<Collections> {
  const index = parseIndex(await runGit({ directory: root, args: LIST_INDEX, signal }));
  const entries = index.toSorted((a, b) => compareText(a.path, b.path));
  const pathsOf = (isKept: (entry: IndexEntry) => boolean) => entries.filter(isKept).map(({ path }) => path);
  return {
    packageScripts: await readPackageScripts(root, entries.filter(isManifest), signal),
    executableScripts: pathsOf(({ mode }) => mode === "100755"),
    agentInstructions: pathsOf((entry) => isRegular(entry) && isAgentInstruction(entry.path)),
    skills: skillsInside(root, skills).toSorted(
      (a, b) => compareText(a.path, b.path) || compareText(a.name, b.name),
    ),
  };
}

function isManifest({ path }: IndexEntry): boolean {
  return path === "package.json" || path.endsWith("/package.json");
}

function isRegular({ mode }: IndexEntry): boolean {
  return mode === "100644" || mode === "100755";
}

async function readPackageScripts(
  root: string,
  manifests: readonly IndexEntry[],
  signal: AbortSignal | undefined,
): Promise<Collections["packageScripts"]> {
  if (!manifests.every(isRegular)) throw new InventoryError("a package.json in the index is no regular file");
  if (manifests.length === 0) return [];
  const blobs = [...new Set(manifests.map(({ blob }) => blob))];
  const output = await runGit({
    directory: root,
    args: ["cat-file", "--batch"],
    stdin: `${blobs.join("\n")}\n`,
    maxBytes: MAX_MANIFEST_BYTES,
    signal,
  });
  const texts = parseBlobs(output, blobs);
  const scriptsOf = new Map(blobs.map((blob, i) => [blob, parseScripts(texts[i] ?? "")]));
  return manifests.flatMap(({ path, blob }) =>
    (scriptsOf.get(blob) ?? []).map(({ name, command }) => ({ path, name, command })),
  );
}

/** By name. A manifest without `scripts` has none; anything malformed is refused. */
function parseScripts(text: string): readonly { readonly name: string; readonly command: string }[] {
  const parsed = parseJson(text.replace(/^\ufeff/, ""));
  if (!parsed.ok || !isJsonObject(parsed.value)) {
    throw new InventoryError("an indexed package.json holds no JSON object");
  }
  const { scripts } = parsed.value;
  if (scripts === undefined) return [];
  if (!isJsonObject(scripts)) throw new InventoryError("an indexed package.json has malformed scripts");
  return Object.entries(scripts)
    .map(([name, command]) => {
      if (typeof command !== "string") {
        throw new InventoryError("an indexed package.json has malformed scripts");
      }
      return { name, command };
    })
    .toSorted((a, b) => compareText(a.name, b.name));
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
