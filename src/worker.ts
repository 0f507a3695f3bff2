/** The worker thread's own module: serves the index and the searches on it. */
import { parentPort, workerData } from "node:worker_threads";
import type { WorkerSettings } from "./index/protocol.ts";
import { serveIndex } from "./index/worker.ts";
import { WORKER_METHODS } from "./surface/workerMethods.ts";

const settings: WorkerSettings = workerData;
if (parentPort === null) throw new Error("this module runs in a worker thread");
serveIndex(parentPort, settings, WORKER_METHODS);
