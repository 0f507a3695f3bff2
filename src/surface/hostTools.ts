/** What the tools do on the store of a running Pi. Loaded on the first call, not with the extension. */
import path from "node:path";
import type { StoreOptions } from "../model.ts";
import { isStrictlyInside } from "../session/store.ts";
import { agentDirOf, sessionsRootOf } from "./agentDir.ts";
import { listSessionsExecutor, sessionEntriesExecutor } from "./execute.ts";
import { requireAllowedProjects } from "./settings.ts";

/** The part of Pi's extension context that tells about the running session. An SDK host may pass none of it. */
export interface HostContext {
  readonly sessionManager?: {
    getSessionDir(): string;
    getSessionFile(): string | undefined;
  };
}

/** The default root and, when it lies outside, the running session's directory. Asked at each call, never cached. */
export function hostStoreOf(agentDir: string, context: HostContext | undefined): StoreOptions {
  const sessionsRoot = path.resolve(sessionsRootOf(agentDir));
  const directory = context?.sessionManager?.getSessionDir();
  const isElsewhere = directory && directory !== sessionsRoot && !isStrictlyInside(directory, sessionsRoot);
  return {
    sessionsRoot,
    additionalRoots: isElsewhere ? [directory] : [],
    currentSessionPath: context?.sessionManager?.getSessionFile(),
  };
}

/** `effectiveSettings` is Pi's `getSettings`: asked at each call, because a user may change a bound at any time. */
export function createHostExecutors(effectiveSettings: () => unknown) {
  const store = (context: HostContext | undefined): StoreOptions => {
    const agentDir = agentDirOf(process.env);
    const allowedProjects = requireAllowedProjects(agentDir, effectiveSettings);
    return { ...hostStoreOf(agentDir, context), allowedProjects };
  };
  return { listSessions: listSessionsExecutor(store), sessionEntries: sessionEntriesExecutor(store) };
}
