/**
 * Pi wiring only. Registers what Pi must know before a session starts and loads the code behind it on first use, so
 * that loading the extension opens no file and costs no library. Of Pi it imports types alone: a value would make Pi
 * load its own package a second time.
 */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { LIST_SESSIONS, SESSION_ENTRIES } from "./surface/declarations.ts";

export default function retrospect(pi: ExtensionAPI): void {
  const settings = () => pi.getSettings();
  const loadTools = async () => (await import("./surface/hostTools.ts")).createHostExecutors(settings);

  pi.registerTool({
    ...LIST_SESSIONS,
    execute: async (...call) => (await loadTools()).listSessions(...call),
  });
  pi.registerTool({
    ...SESSION_ENTRIES,
    execute: async (...call) => (await loadTools()).sessionEntries(...call),
  });
  pi.on("input", async (event) => {
    if (event.streamingBehavior !== "steer") return { action: "continue" };
    const { markedText } = await import("./surface/steering.ts");
    const text = markedText(event, settings);
    if (text === undefined) return { action: "continue" };
    return { action: "transform", text, ...(event.images ? { images: event.images } : {}) };
  });
}
