/**
 * Builds `dist/`: the extension stub that Pi loads (tool declarations written in as JSON), the code it loads on first
 * use, the library with its types, and the command line. TypeBox and commander are bundled into what needs them; what
 * Pi provides is imported from Pi.
 */
import { rmSync } from "node:fs";
import path from "node:path";
import { type OutputOptions, type Plugin, type RolldownOptions, rolldown } from "rolldown";
import { rollup } from "rollup";
import { dts } from "rollup-plugin-dts";
import * as declarations from "../src/surface/declarations.ts";

const root = path.resolve(import.meta.dirname, "..");
const dist = path.join(root, "dist");

/** Replaces the declarations by their values: the extension needs no schema library to register them. */
const inlineDeclarations: Plugin = {
  name: "inline-declarations",
  load(id) {
    if (!id.endsWith(path.join("src", "surface", "declarations.ts"))) return null;
    const constants = Object.entries(declarations).map(
      ([name, value]) => `export const ${name} = ${JSON.stringify(value)};`,
    );
    return { code: constants.join("\n"), moduleType: "js" };
  },
};

async function bundle(input: RolldownOptions, output: OutputOptions): Promise<void> {
  const build = await rolldown({ platform: "node", cwd: root, ...input });
  await build.write({ dir: dist, format: "esm", ...output });
  await build.close();
}

rmSync(dist, { recursive: true, force: true });
await bundle(
  {
    input: { extension: "src/extension.ts", worker: "src/worker.ts" },
    external: [/^@earendil-works\//, /^node:/],
    plugins: [inlineDeclarations],
  },
  {
    // Pi loads a .js by its own loader and leaves an .mjs to Node; the worker lies beside the code that starts it.
    entryFileNames: ({ name }) => (name === "worker" ? "extension/worker.mjs" : "[name].js"),
    chunkFileNames: "extension/[name].mjs",
  },
);
await bundle(
  { input: { index: "src/index.ts", cli: "src/cli.ts" }, external: [/^node:/] },
  { entryFileNames: "[name].mjs", chunkFileNames: "lib/[name].mjs" },
);
if (!process.argv.includes("--no-types")) {
  const types = await rollup({
    input: path.join(root, "src", "index.ts"),
    // TypeBox's types are written in, so that an importer needs neither it nor Pi.
    external: [/^node:/],
    plugins: [dts({ tsconfig: path.join(root, "tsconfig.json"), respectExternal: true })],
  });
  await types.write({ file: path.join(dist, "index.d.mts"), format: "es" });
  await types.close();
}
