/**
 * Pi wiring only. Registers what Pi must know before a session starts and loads the code behind it on first use, so
 * that loading the extension opens no file and costs no library. Of Pi it imports types alone: a value would make Pi
 * load its own package a second time.
 */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import type { SessionSearchParams } from "./model.ts";
import { LIST_SESSIONS, SESSION_ENTRIES, SESSION_SEARCH } from "./surface/declarations.ts";
import type { Host } from "./surface/host.ts";
import { LIST_SESSIONS_ROW, loadRows, SESSION_ENTRIES_ROW, SESSION_SEARCH_ROW } from "./surface/rows.ts";

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
    ...LIST_SESSIONS_ROW,
    execute: async (...call) => (await loadHost()).listSessions(...call),
  });
  pi.registerTool({
    ...SESSION_ENTRIES,
    ...SESSION_ENTRIES_ROW,
    execute: async (...call) => (await loadHost()).sessionEntries(...call),
  });
  pi.registerTool({
    ...SESSION_SEARCH,
    ...SESSION_SEARCH_ROW,
    promptGuidelines: [...SESSION_SEARCH.promptGuidelines],
    execute: async (...call) => (await loadHost()).sessionSearch(...call),
  });
  pi.registerCommand("recall", {
    description: "Search past sessions, look at them, resume one",
    handler: async (args, context) => {
      const [host, { createRecallCommand }] = await Promise.all([
        loadHost(),
        import("./surface/recall/command.ts"),
      ]);
      const search = (params: SessionSearchParams, signal: AbortSignal) =>
        host.recall(params, signal, context);
      const preview = (path: string, messageId: string | null, signal: AbortSignal) =>
        search(
          messageId === null ? { sessionId: path } : { sessionId: path, aroundMessageId: messageId },
          signal,
        );
      await createRecallCommand({ search, preview, leftOut: () => host.leftOut(context) })(args, context);
    },
  });
  pi.on("session_start", async (_event, context) => {
    (await loadHost()).start(context);
    // Pi draws its own plain row should this fail.
    if (context.hasUI) loadRows().catch(() => undefined);
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
