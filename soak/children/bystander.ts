/** Does nothing but measure how long this machine keeps an idle event loop waiting: the noise of all other figures. */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";

const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();
await sleep(Number(process.argv[2]) * 1000);
delay.disable();
console.log(JSON.stringify({ longestWaitMs: delay.max / 1e6 }));
