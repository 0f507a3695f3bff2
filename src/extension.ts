/**
 * Pi wiring only. Registers what Pi must know before a session starts and loads the code behind it on first use, so
 * that loading the extension opens no file and costs no library.
 */
import { type ExtensionAPI, getAgentDir } from "@earendil-works/pi-coding-agent";
import { LIST_SESSIONS, SESSION_ENTRIES } from "./surface/declarations.ts";

const loadExecutors = async () => (await import("./surface/hostTools.ts")).createHostExecutors(getAgentDir());

export default function retrospect(pi: ExtensionAPI): void {
  pi.registerTool({
    ...LIST_SESSIONS,
    execute: async (id, params, signal, onUpdate, context) =>
      (await loadExecutors()).listSessions(id, params, signal, onUpdate, context),
  });
  pi.registerTool({
    ...SESSION_ENTRIES,
    execute: async (id, params, signal, onUpdate, context) =>
      (await loadExecutors()).sessionEntries(id, params, signal, onUpdate, context),
  });
}
