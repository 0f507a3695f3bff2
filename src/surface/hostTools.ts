/** What the tools do on the store of a running Pi. Loaded on the first call, not with the extension. */
import path from "node:path";
import type { StoreOptions } from "../model.ts";
import { isStrictlyInside } from "../session/store.ts";
import { listSessionsExecutor, sessionEntriesExecutor } from "./execute.ts";

/** The part of Pi's extension context that tells about the running session. An SDK host may pass none of it. */
export interface HostContext {
  readonly sessionManager?: {
    getSessionDir(): string;
    getSessionFile(): string | undefined;
  };
}

/** The directory of session files below Pi's agent directory. */
export function sessionsRootOf(agentDir: string): string {
  return path.join(agentDir, "sessions");
}

/** The default root and, when it lies outside, the running session's directory. Asked at each call, never cached. */
export function hostStoreOf(agentDir: string, context: HostContext | undefined): StoreOptions {
  const sessionsRoot = sessionsRootOf(agentDir);
  const directory = context?.sessionManager?.getSessionDir();
  const isElsewhere =
    directory &&
    path.resolve(directory) !== path.resolve(sessionsRoot) &&
    !isStrictlyInside(directory, sessionsRoot);
  return {
    sessionsRoot,
    additionalRoots: isElsewhere ? [directory] : [],
    currentSessionPath: context?.sessionManager?.getSessionFile(),
  };
}

export function createHostExecutors(agentDir: string) {
  const store = (context: HostContext | undefined) => hostStoreOf(agentDir, context);
  return { listSessions: listSessionsExecutor(store), sessionEntries: sessionEntriesExecutor(store) };
}
