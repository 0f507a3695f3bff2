/** `scroll`: the messages around one, on one branch, from the raw file. */
import type { ScrollOutput, StoreOptions } from "../model.ts";
import { FIRST_ADDRESSED_VERSION } from "../session/entry.ts";
import { describe } from "../session/header.ts";
import { ParameterError } from "../session/parameterError.ts";
import { branchOf, nearestMessage, newestTipThrough } from "./branch.ts";
import { readMessages } from "./messages.ts";
import { withTranscript } from "./open.ts";
import { type Outline, readOutline } from "./outline.ts";
import type { ScrollRequest } from "./request.ts";

/**
 * Without a `branchTip` the branch is the newest one through the entry named, be it a message or not; the centre is that
 * entry or its nearest message ancestor, which must lie on the branch. `warnings` as in `readTranscript`.
 *
 * @throws ParameterError for a path outside every root, an unknown id, an anchor off the branch, and a version 1 file
 * @throws Error for an unreadable root, an unreadable file, and one that is no Pi session
 */
export async function scrollTranscript(request: ScrollRequest, options: StoreOptions): Promise<ScrollOutput> {
  return withTranscript(request, options, async (transcript) => {
    requireLastingIds(transcript.version);
    const outline = await readOutline(transcript);
    const { aroundMessageId, window } = request;
    const around = requireEntry(outline, "aroundMessageId", aroundMessageId);
    const givenTip =
      request.branchTip === undefined ? undefined : requireEntry(outline, "branchTip", request.branchTip);
    const centre = nearestMessage(outline, around);
    if (centre === undefined) {
      throw new ParameterError(
        `aroundMessageId ${describe(aroundMessageId)} is no message and has no message above it; expected the id of a message, as sessionId alone lists them`,
      );
    }
    const tip = givenTip ?? newestTipThrough(outline, around);
    const branchTip = outline.idOf(tip) ?? aroundMessageId;
    const branch = branchOf(outline, tip);
    const at = branch.messages.indexOf(centre);
    if (at === -1) {
      throw new ParameterError(
        `aroundMessageId ${describe(aroundMessageId)} is not on the branch that ends at branchTip ${describe(branchTip)}; leave branchTip out for the newest branch through it`,
      );
    }
    const start = Math.max(0, at - window);
    const shown = branch.messages.slice(start, at + window + 1);
    const messages = await readMessages(transcript, outline, shown);
    const warnings = [...outline.warnings, ...branch.warnings];
    return {
      mode: "scroll",
      path: request.sessionId,
      branchTip,
      messages: messages.map((message, i) => (i === at - start ? { ...message, anchor: true } : message)),
      messagesBefore: start,
      messagesAfter: branch.messages.length - start - shown.length,
      ...(warnings.length > 0 ? { warnings } : {}),
    };
  });
}

function requireLastingIds(version: number): void {
  if (version >= FIRST_ADDRESSED_VERSION) return;
  throw new ParameterError(
    `aroundMessageId needs a file whose ids last (version ${FIRST_ADDRESSED_VERSION} or later), this one has version ${version}; use session_entries with startLineNo and endLineNo around the line instead`,
  );
}

function requireEntry(outline: Outline, name: string, id: string): number {
  const ordinal = outline.ordinalOf(id);
  if (ordinal !== undefined) return ordinal;
  throw new ParameterError(
    `${name} ${describe(id)} is no entry id of this file; expected the id of an entry`,
  );
}
