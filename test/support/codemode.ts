/** One real Pi run in which the model calls codemode once; returns what the script printed. */
import { isObject, type PiOptions, runPi } from "./pi-run.ts";

export interface CodemodeRun {
  /** The value that the script passed to `text()` or returned, parsed. */
  readonly value: Readonly<Record<string, unknown>>;
  readonly stderr: string;
  readonly sessionFiles: readonly string[];
}

/** `code` must end with `return` of a JSON object. */
export async function runCodemode(options: Omit<PiOptions, "script">, code: string): Promise<CodemodeRun> {
  const script = { answers: [{ calls: [{ name: "codemode", arguments: { code } }] }, { text: "Done." }] };
  const run = await runPi({
    ...options,
    script,
    prompts: ["go"],
    args: ["--mode", "json", ...(options.args ?? [])],
  });
  if (run.code !== 0) throw new Error(`Pi ended with status ${run.code}: ${run.stderr}`);
  const output = run.stdout
    .split("\n")
    .filter(Boolean)
    .map((line): unknown => JSON.parse(line))
    .map(toolResultText)
    .find((text) => text !== undefined);
  const json = output?.slice(output.indexOf("{"));
  const value: unknown = output?.startsWith("Script completed") && json ? JSON.parse(json) : undefined;
  if (!isObject(value)) throw new Error(`the script did not return an object:\n${output}\n${run.stderr}`);
  return { value, stderr: run.stderr, sessionFiles: run.sessionFiles };
}

function toolResultText(event: unknown): string | undefined {
  if (!isObject(event) || event.type !== "message_end" || !isObject(event.message)) return undefined;
  const { role, content } = event.message;
  if (role !== "toolResult" || !Array.isArray(content)) return undefined;
  return content.map((block: unknown) => (isObject(block) ? String(block.text) : "")).join("\n");
}
