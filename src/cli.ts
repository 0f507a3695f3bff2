#!/usr/bin/env node
/** The command line's process: streams, signals and exit status. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { isJsonObject, isNonEmptyString, parseJson } from "./session/json.ts";
import { runCli } from "./surface/cli/run.ts";
import type { Terminal } from "./surface/cli/terminal.ts";

function terminalOf(stream: NodeJS.WriteStream): Terminal {
  const { isTTY } = stream;
  const columns = isTTY ? stream.columns : undefined;
  return { write: (text) => stream.write(text), columns, hasColor: isTTY && !process.env["NO_COLOR"] };
}

function versionOf(manifest: URL): string {
  const parsed = parseJson(readFileSync(manifest, "utf8"));
  const version = parsed.ok && isJsonObject(parsed.value) ? parsed.value["version"] : undefined;
  return isNonEmptyString(version) ? version : "unknown";
}

// A reader that has seen enough closes the pipe: that is no failure.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") process.stderr.write(`error: the output cannot be written: ${error.message}\n`);
  process.exit(error.code === "EPIPE" ? 0 : 1);
});
process.stderr.on("error", () => process.exit(1));
const interrupt = new AbortController();
process.once("SIGINT", () => {
  interrupt.abort(new Error("interrupted"));
  process.once("SIGINT", () => process.exit(130));
});
const packageRoot = fileURLToPath(new URL("..", import.meta.url));
process.exitCode = await runCli(process.argv.slice(2), {
  version: versionOf(new URL("../package.json", import.meta.url)),
  packageRoot,
  environment: process.env,
  workingDirectory: process.cwd(),
  out: terminalOf(process.stdout),
  err: terminalOf(process.stderr),
  signal: interrupt.signal,
});
