/** The main thread while the worker indexes the realistic store in the background. */
import { rmSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import type { BackgroundEvent } from "../../src/index/protocol.ts";
import type { WorkerMethods } from "../../src/surface/workerMethods.ts";
import { defineCase, figureBar, peakMemory, shown } from "../case.ts";

const FLOOR_MS = 2000;

export default defineCase<{ readonly root: string; readonly directory: string }>({
  name: "event-loop",
  about:
    "main thread while the worker indexes the realistic store in the background | a thread with nothing to do",
  bars: [
    figureBar("p99", "limit", 10, "ms", "event-loop delay, p99"),
    figureBar("longest", "limit", 30, "ms", "event-loop delay, longest"),
    shown("seconds", "s", "time"),
    peakMemory(100),
  ],

  prepare(stores) {
    return { root: stores.realistic().root, directory: stores.scratch("event-loop") };
  },

  async ours({ root, directory }, meter) {
    rmSync(directory, { recursive: true, force: true });
    const { IndexClient } = await import("../../src/index/client.ts");
    // Times between two turns of a timer of 1 ms, its own millisecond included.
    const delay = monitorEventLoopDelay({ resolution: 1 });
    const startMs = performance.now();
    await meter.timed(async () => {
      const { promise, resolve } = Promise.withResolvers<BackgroundEvent>();
      delay.enable();
      const client = new IndexClient<WorkerMethods>({
        workerUrl: meter.workerUrl,
        indexPath: `${directory}/index.db`,
        onBackground: (event) => event.kind === "done" && resolve(event),
      });
      await client.call("startBackground", { roots: [root] });
      const event = await promise;
      delay.disable();
      if (event.kind !== "done" || event.result.backlogRemaining > 0) throw new Error("not all was indexed");
      await client.close();
    });
    meter.figure("seconds", (performance.now() - startMs) / 1000);
    meter.figure("p99", delay.percentile(99) / 1e6);
    meter.figure("longest", delay.max / 1e6);
  },

  /** What the machine and its other programs do to a thread that only waits. */
  async floor(_, meter) {
    const delay = monitorEventLoopDelay({ resolution: 1 });
    await meter.timed(async () => {
      delay.enable();
      await new Promise((resolve) => setTimeout(resolve, FLOOR_MS));
      delay.disable();
    });
    meter.figure("p99", delay.percentile(99) / 1e6);
    meter.figure("longest", delay.max / 1e6);
  },
});
