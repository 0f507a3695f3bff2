/** Ends the process when one round takes for ever: a loop that hangs cannot say so itself. */
import { Worker } from "node:worker_threads";

/** The longest rounds, a minute of parallel processes among them, end well before. */
const PATIENCE_MS = 300_000;

const WATCH = `
  const { parentPort, workerData } = require("node:worker_threads");
  const { writeSync } = require("node:fs");
  let timer;
  parentPort.on("message", (what) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      writeSync(2, "HANG: no end after " + workerData / 1000 + " s: " + what + "\\n");
      process.kill(process.pid, "SIGKILL");
    }, workerData);
  });
`;

export class Watchdog {
  readonly #worker = new Worker(WATCH, { eval: true, workerData: PATIENCE_MS });

  constructor() {
    this.#worker.unref();
  }

  /** What runs from now on. */
  expect(what: string): void {
    this.#worker.postMessage(what);
  }

  async stop(): Promise<void> {
    await this.#worker.terminate();
  }
}
