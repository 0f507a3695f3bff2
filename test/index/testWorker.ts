/** A worker as the extension starts one, with a method for each thing a test wants to see carried across. */
import { setTimeout as sleep } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { INDEX_METHODS, type MethodContext, serveIndex } from "../../src/index/worker.ts";
import { ParameterError } from "../../src/session/parameterError.ts";

export const TEST_METHODS = {
  ...INDEX_METHODS,
  async countMessages(_: undefined, { index }: MethodContext): Promise<number> {
    return Number((await index()).get("SELECT count(*) AS count FROM message")?.["count"]);
  },
  refuse(parameter: string): never {
    throw new ParameterError(`${parameter} must be something else`);
  },
  async wait(_: undefined, { signal, progress }: MethodContext): Promise<string> {
    progress("waiting");
    await sleep(60_000, undefined, { signal });
    return "waited";
  },
  crash(): never {
    process.exit(7);
  },
} as const;

if (parentPort !== null) serveIndex(parentPort, workerData, TEST_METHODS);
