/** The package as npm would publish it, from the `dist/` that is there. */
import { execFileSync } from "node:child_process";
import path from "node:path";
import { isObject } from "./pi-run.ts";

export interface Packed {
  readonly tarball: string;
  /** Paths in the package, sorted. */
  readonly files: readonly string[];
}

export function npm(args: readonly string[], cwd: string): string {
  return execFileSync("npm", args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

/** Writes the tarball into `destination`. Builds nothing. */
export function pack(repository: string, destination: string): Packed {
  const output = npm(["pack", "--ignore-scripts", "--json", "--pack-destination", destination], repository);
  const report: unknown = JSON.parse(output);
  const first: unknown = Array.isArray(report) ? report[0] : Object.values(report ?? {})[0];
  if (!isObject(first) || !Array.isArray(first["files"]))
    throw new Error(`unexpected npm pack output: ${output}`);
  const files = first["files"].map((file: unknown) => (isObject(file) ? String(file["path"]) : "")).sort();
  return { tarball: path.join(destination, String(first["filename"])), files };
}
