/**
 * Makes plain JavaScript of the child and the cases, so that no compiler sits in a measured process, decides which
 * build of the product is measured, and runs children.
 */
import { spawnSync } from "node:child_process";
import { existsSync, globSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { rolldown } from "rolldown";
import type { Sample } from "./case.ts";
import type { ChildReport, Job } from "./child.ts";
import { median } from "./statistics.ts";

const project = path.resolve(import.meta.dirname, "..");

export interface Product {
  /** What is measured, in words. */
  readonly name: string;
  readonly module: string;
}

export class Children {
  readonly product: Product;
  readonly #directory: string;
  #emptyKiB: number | undefined;

  private constructor(directory: string, product: Product) {
    this.#directory = directory;
    this.product = product;
  }

  static async build(cacheDirectory: string, caseNames: readonly string[]): Promise<Children> {
    const directory = path.join(cacheDirectory, "js");
    rmSync(directory, { recursive: true, force: true });
    const built = builtLibrary();
    const inputs: Record<string, string> = { child: "bench/child.ts", worker: "src/worker.ts" };
    for (const name of caseNames) inputs[name] = `bench/cases/${name}.ts`;
    if (built === undefined) inputs["product"] = "src/index.ts";
    const build = await rolldown({ input: inputs, platform: "node", cwd: project, logLevel: "silent" });
    await build.write({
      dir: directory,
      format: "esm",
      entryFileNames: "[name].mjs",
      chunkFileNames: "lib/[name].mjs",
    });
    await build.close();
    const fromSource = {
      name: "src/index.ts (no dist/, or older than src/)",
      module: path.join(directory, "product.mjs"),
    };
    return new Children(directory, built ?? fromSource);
  }

  /** Runs one side once, in a fresh process. */
  run(caseName: string, side: Job["side"], input: unknown): Sample {
    this.#emptyKiB ??= median([0, 1, 2].map(() => this.#spawn({ side, input: null }).peakKiB));
    const { peakKiB, ...measured } = this.#spawn({ caseModule: this.#url(`${caseName}.mjs`), side, input });
    return { ...measured, peakMiB: (peakKiB - this.#emptyKiB) / 1024 };
  }

  #spawn(job: Omit<Job, "libraryModule" | "workerModule">): ChildReport {
    const libraryModule = pathToFileURL(this.product.module).href;
    const whole: Job = { ...job, libraryModule, workerModule: this.#url("worker.mjs") };
    const flags = [
      "--disable-warning=ExperimentalWarning",
      ...(process.env["BENCH_NODE_FLAGS"]?.split(" ") ?? []),
    ];
    const child = spawnSync(process.execPath, [...flags, path.join(this.#directory, "child.mjs")], {
      input: JSON.stringify(whole),
      encoding: "utf8",
      maxBuffer: 1 << 24,
      stdio: ["pipe", "pipe", "inherit"],
    });
    if (child.status !== 0)
      throw new Error(`${job.side} of ${job.caseModule} ended with ${child.status ?? child.signal}`);
    return JSON.parse(child.stdout) as ChildReport;
  }

  #url(name: string): string {
    return pathToFileURL(path.join(this.#directory, name)).href;
  }
}

/** `dist/`, unless it is missing or older than the source: a stale build would be measured in the source's name. */
function builtLibrary(): Product | undefined {
  const module = path.join(project, "dist", "index.mjs");
  if (!existsSync(module)) return undefined;
  const builtMs = statSync(module).mtimeMs;
  const isStale = globSync("src/**/*.ts", { cwd: project }).some(
    (file) => statSync(path.join(project, file)).mtimeMs > builtMs,
  );
  return isStale ? undefined : { name: "dist/index.mjs", module };
}
