/** `read`: the messages of a session's active branch, from the raw file, so that it is right for one written just now. */
import type { ReadOutput, StoreOptions, TranscriptWarning } from "../model.ts";
import { FIRST_ADDRESSED_VERSION } from "../session/entry.ts";
import { type Branch, branchOf } from "./branch.ts";
import { readMessages } from "./messages.ts";
import { withTranscript } from "./open.ts";
import { type Outline, readOutline } from "./outline.ts";
import type { ReadRequest } from "./request.ts";

/** Of a longer branch the first and the last messages are shown. */
export const FIRST_MESSAGES = 20;
export const LAST_MESSAGES = 10;

/**
 * Contents come whole up to what any answer can show; the surface bounds the answer. `warnings` name every line that was
 * skipped or mended, as `session_entries` does (the first 20 and a count), entries without an id, and why the branch
 * begins below its root.
 *
 * @throws ParameterError for a path outside every root
 * @throws Error for an unreadable root, an unreadable file, and one that is no Pi session
 */
export async function readTranscript(request: ReadRequest, options: StoreOptions): Promise<ReadOutput> {
  return withTranscript(request, options, async (transcript) => {
    const outline = await readOutline(transcript);
    const tip = outline.activeTip;
    const branch =
      transcript.version < FIRST_ADDRESSED_VERSION ? linearBranch(outline) : branchOf(outline, tip);
    const total = branch.messages.length;
    const isTruncated = total > FIRST_MESSAGES + LAST_MESSAGES;
    const shown = isTruncated
      ? [...branch.messages.slice(0, FIRST_MESSAGES), ...branch.messages.slice(-LAST_MESSAGES)]
      : branch.messages;
    const messages = await readMessages(transcript, outline, shown);
    const warnings = [...legacyWarnings(transcript.version), ...outline.warnings, ...branch.warnings];
    return {
      mode: "read",
      path: request.sessionId,
      totalMessages: total,
      ...(isTruncated ? { truncated: isTruncated } : {}),
      messages,
      branchTip: tip === undefined ? null : outline.idOf(tip),
      ...(warnings.length > 0 ? { warnings } : {}),
    };
  });
}

/** A version 1 file is one line of messages in file order. */
function linearBranch(outline: Outline): Branch {
  const messages: number[] = [];
  for (let ordinal = 0; ordinal < outline.entryCount; ordinal++) {
    if (outline.isMessage(ordinal)) messages.push(ordinal);
  }
  return { messages, warnings: [] };
}

function legacyWarnings(version: number): readonly TranscriptWarning[] {
  if (version >= FIRST_ADDRESSED_VERSION) return [];
  const reason = "version 1 file: Pi replaces its ids when it migrates, so ids are null here";
  return [{ lineNo: null, code: "legacy_version", reason }];
}
