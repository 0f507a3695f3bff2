/**
 * Pi wiring only. Registers what Pi must know before a session starts and loads the code behind it on first use, so
 * that loading the extension opens no file and costs no library. Of Pi it imports types alone: a value would make Pi
 * load its own package a second time.
 */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { LIST_SESSIONS, SESSION_ENTRIES } from "./surface/declarations.ts";

const loadTools = () => import("./surface/hostTools.ts");

export default function retrospect(pi: ExtensionAPI): void {
  pi.registerTool({
    ...LIST_SESSIONS,
    execute: async (...call) => (await loadTools()).listSessions(...call),
  });
  pi.registerTool({
    ...SESSION_ENTRIES,
    execute: async (...call) => (await loadTools()).sessionEntries(...call),
  });
}
