/**
 * Pi wiring only. Registers what Pi must know before a session starts and loads the code behind it on first use, so
 * that loading the extension opens no file and costs no library. Of Pi it imports types alone: a value would make Pi
 * load its own package a second time.
 */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { LIST_SESSIONS, SESSION_ENTRIES, SESSION_SEARCH } from "./surface/declarations.ts";
import type { Host } from "./surface/host.ts";

export default function retrospect(pi: ExtensionAPI): void {
  const settings = () => pi.getSettings();
  let loading: Promise<Host> | undefined;
  const loadHost = () => {
    loading ??= import("./surface/host.ts").then(
      (module) => new module.Host(settings, () => pi.getCommands()),
    );
    return loading;
  };

  pi.registerTool({
    ...LIST_SESSIONS,
    execute: async (...call) => (await loadHost()).listSessions(...call),
  });
  pi.registerTool({
    ...SESSION_ENTRIES,
    execute: async (...call) => (await loadHost()).sessionEntries(...call),
  });
  pi.registerTool({
    ...SESSION_SEARCH,
    promptGuidelines: [...SESSION_SEARCH.promptGuidelines],
    execute: async (...call) => (await loadHost()).sessionSearch(...call),
  });
  pi.on("session_start", async (_event, context) => {
    (await loadHost()).start(context);
  });
  pi.on("session_shutdown", async () => {
    await (await loading)?.stop();
  });
  pi.on("input", async (event) => {
    if (event.streamingBehavior !== "steer") return { action: "continue" };
    const { markedText } = await import("./surface/steering.ts");
    const text = markedText(event, settings);
    if (text === undefined) return { action: "continue" };
    return { action: "transform", text, ...(event.images ? { images: event.images } : {}) };
  });
}
