/** Other releases of Pi, and Bun, each installed once into a cache directory that git ignores. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { npm } from "../../test/support/pack.ts";

interface Release {
  readonly version: string;
  /** What the registry no longer resolves by itself. */
  readonly overrides?: Readonly<Record<string, string>>;
}

const CHORD = { "@earendil-works/chord": "0.87.1" };

export const NEWEST: Release = { version: "1.6.0" };
/** The oldest that is supported, those that changed something that matters here, and the newest. */
export const RELEASES: readonly Release[] = [
  { version: "0.99.1", overrides: CHORD },
  { version: "1.0.3", overrides: CHORD },
  { version: "1.3.0" },
  NEWEST,
];

export const BUN_VERSION = "1.4.5";
const PI = "@earendil-works/pi-coding-agent";

/** @returns the folder of Pi's package */
export function installPi(cache: string, { version, overrides = {} }: Release): string {
  return install(path.join(cache, `pi-${version}`), PI, version, overrides);
}

/** @returns Bun's executable */
export function installBun(cache: string): string {
  const bun = install(path.join(cache, `bun-${BUN_VERSION}`), "bun", BUN_VERSION, {});
  return path.join(bun, "..", ".bin", "bun");
}

function install(directory: string, name: string, version: string, overrides: object): string {
  const installed = path.join(directory, "node_modules", name);
  if (versionOf(installed) === version) return installed;
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  const manifest = { name: "cache", private: true, overrides, dependencies: { [name]: version } };
  writeFileSync(path.join(directory, "package.json"), JSON.stringify(manifest));
  npm(["install", "--no-audit", "--no-fund"], directory);
  return installed;
}

function versionOf(folder: string): string | undefined {
  const manifest = path.join(folder, "package.json");
  return existsSync(manifest) ? String(JSON.parse(readFileSync(manifest, "utf8")).version) : undefined;
}
