/** What an answer says under an allowlist: nothing that is denied shows, in counts and warnings neither. */
import type { SyncState, SyncWarning } from "../model.ts";
import { accessTestOf } from "../session/access.ts";
import { isReachable } from "../session/openSession.ts";
import { isReadableDirectory } from "../session/store.ts";
import type { FindOutput, FindRequest } from "./find.ts";

export function stateOf(
  request: FindRequest,
  backlogPaths: readonly string[],
  warning: SyncWarning | undefined,
): SyncState {
  const isBounded = accessTestOf(request.allowedProjects) !== undefined;
  const backlog = isBounded
    ? backlogPaths.filter((path) => isReachable(path, storeOf(request))).length
    : backlogPaths.length;
  const shown = isBounded ? boundedWarning(request, warning) : warning;
  return {
    ...(backlog === 0 ? {} : { backlogRemaining: backlog }),
    ...(shown === undefined ? {} : { syncWarning: shown }),
  };
}

/** An unreadable root concerns everybody; an unreadable project may be one that must not show. */
function boundedWarning({ roots }: FindRequest, warning: SyncWarning | undefined): SyncWarning | undefined {
  if (warning?.kind === "sync-failed")
    return { kind: warning.kind, error: "the index could not be brought up to date" };
  return warning !== undefined && !roots.every(isReadableDirectory) ? warning : undefined;
}

/** A launcher that the index does not know yet may deny what was launched from it: the files are asked once more. */
export function withoutUnreachable(output: FindOutput, request: FindRequest): FindOutput {
  if (accessTestOf(request.allowedProjects) === undefined) return output;
  const isShown = ({ path }: { readonly path: string }) => isReachable(path, storeOf(request));
  if (output.mode === "browse") return { ...output, sessions: output.sessions.filter(isShown) };
  const { forPeople } = output;
  return {
    ...output,
    results: output.results.filter(isShown).map((hit, rank) => ({ ...hit, rank })),
    ...(forPeople === undefined
      ? {}
      : {
          forPeople: {
            named: forPeople.named.filter(isShown),
            firstWords: Object.fromEntries(
              Object.entries(forPeople.firstWords).filter(([path]) => isShown({ path })),
            ),
          },
        }),
  };
}

function storeOf({ roots: [sessionsRoot, ...additionalRoots], allowedProjects }: FindRequest) {
  return { sessionsRoot, additionalRoots, allowedProjects };
}
