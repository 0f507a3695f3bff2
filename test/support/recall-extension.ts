/**
 * A throwaway extension that gives Pi the palette and the tool rows on a search made for tests: the session files are
 * scanned anew at every question, without an index. Environment: RECALL_FAKE_SESSIONS makes that many sessions up
 * instead, RECALL_BACKLOG says that so many files are still to be indexed (one less at every question), RECALL_NOW
 * stops the clock.
 */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import type { SessionSearchOutput, SessionSearchParams } from "../../src/model.ts";
import { requireCwdFilter } from "../../src/query/cwds.ts";
import { requireTimeRange } from "../../src/query/timeRange.ts";
import { browse } from "../../src/search/browse.ts";
import { discover } from "../../src/search/discovery.ts";
import { scanStore } from "../../src/search/scan.ts";
import { requireRoots } from "../../src/session/store.ts";
import { createRecallCommand } from "../../src/surface/recall/command.ts";
import { indexStatusText } from "../../src/surface/recall/indexStatus.ts";
import { SESSION_SEARCH_ROW } from "../../src/surface/rows.ts";
import { SESSION_SEARCH } from "../../src/surface/searchDeclaration.ts";
import { readTranscript } from "../../src/transcript/readTranscript.ts";
import { scrollTranscript } from "../../src/transcript/scrollTranscript.ts";
import { fakePreview, fakeSearch } from "./fake-sessions.ts";

const { env } = process;

export default function recall(pi: ExtensionAPI): void {
  const fakeCount = Number(env["RECALL_FAKE_SESSIONS"] ?? 0);
  let backlog = Number(env["RECALL_BACKLOG"] ?? 0);
  let current: string | undefined;
  let root = "";

  const store = () => ({ sessionsRoot: root, currentSessionPath: current });
  const search = async (params: SessionSearchParams, signal?: AbortSignal): Promise<SessionSearchOutput> => {
    if (fakeCount > 0) return fakeSearch(params, fakeCount);
    if (params.sessionId !== undefined) return preview(params.sessionId, params.aroundMessageId ?? null);
    const roots = requireRoots(store());
    const viewer = { isAllowed: () => true, currentSessionPath: current };
    const filters = {
      cwdFilter: requireCwdFilter(params.cwds, params.cwdMatch),
      timeRange: requireTimeRange(params.startTimestamp, params.endTimestamp),
      limit: params.limit ?? 3,
    };
    const { view, detailsOf } = await scanStore({
      roots,
      excludePrefixes: [],
      budgetMs: 60_000,
      isAllowed: () => true,
      signal,
    });
    const state = backlog > 0 ? { backlogRemaining: backlog-- } : {};
    if (params.query === undefined) {
      return { mode: "browse", sessions: browse(view.sessions, filters, viewer, detailsOf), ...state };
    }
    const { query } = params;
    return { mode: "discovery", query, ...discover(view, { ...filters, query }, viewer), ...state };
  };
  const preview = async (path: string, messageId: string | null): Promise<SessionSearchOutput> => {
    if (fakeCount > 0) return fakePreview(path, messageId);
    return messageId === null
      ? readTranscript({ sessionId: path }, store())
      : scrollTranscript(
          { sessionId: path, aroundMessageId: messageId, branchTip: undefined, window: 4 },
          store(),
        );
  };

  const nowMs = env["RECALL_NOW"] === undefined ? undefined : Date.parse(env["RECALL_NOW"]);
  const command = createRecallCommand({
    search,
    preview: (path, messageId) => preview(path, messageId),
    now: nowMs === undefined ? undefined : () => nowMs,
  });
  pi.on("session_start", (_event, ctx) => {
    current = ctx.sessionManager.getSessionFile();
    root = `${env["PI_CODING_AGENT_DIR"]}/sessions`;
    const progress = { filesLeft: backlog, bytesLeft: backlog * 1_000, bytesDone: 30_000 };
    if (ctx.hasUI) ctx.ui.setStatus("pi-retrospect", indexStatusText(progress));
  });
  pi.registerCommand("recall", {
    description: "Look back over past sessions",
    handler: command,
  });
  pi.registerTool({
    ...SESSION_SEARCH,
    promptGuidelines: [...SESSION_SEARCH.promptGuidelines],
    ...SESSION_SEARCH_ROW,
    execute: async (_id, params, signal) => {
      const output = await search(params, signal);
      return { content: [{ type: "text", text: JSON.stringify(output) }], details: output };
    },
  });
}
