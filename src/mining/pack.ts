/**
 * The messages of one session within its share of the answer. Pure. Texts become shorter before messages are left out,
 * down to `MIN_TEXT_CHARS`; then the middle goes, because a session's start says what was wanted and its end what came.
 */
import type { PreparedMessage } from "../model.ts";
import { jsonLengthOf, largestFitting } from "../session/bound.ts";
import { shortenMiddle } from "../session/cut.ts";
import { MIN_TEXT_CHARS, type MinedMessage, type SessionTexts } from "./texts.ts";

export interface Packed {
  readonly messages: readonly PreparedMessage[];
  /** Messages in the middle were left out. */
  readonly truncated: boolean;
  readonly contentTruncated: boolean;
}

/** Characters that the messages take as JSON when nothing is left out; beyond any room when not all were read. */
export function demandOf({ messages, total }: SessionTexts): number {
  return messages.length < total ? Number.POSITIVE_INFINITY : costOf(messages, Number.POSITIVE_INFINITY);
}

export function packMessages({ messages, total }: SessionTexts, room: number): Packed {
  const fits = (count: number, cap: number) => costOf(endsOf(messages, count), cap) <= room;
  const most = largestFitting(messages.length, (count) => fits(count, MIN_TEXT_CHARS)) ?? 0;
  const count = Math.max(most, Math.min(1, messages.length));
  const cap = largestFitting(room, (candidate) => fits(count, candidate));
  const kept = cap ? endsOf(messages, count) : []; // a message without text is none
  const shown = kept.map((message) => shownWithin(message, cap ?? 0));
  return {
    messages: shown,
    truncated: kept.length < total,
    contentTruncated: kept.some(({ isShortened, text }, i) => isShortened || text !== shown[i]?.text),
  };
}

/** As many messages, from both ends. */
function endsOf(messages: readonly MinedMessage[], count: number): readonly MinedMessage[] {
  if (count >= messages.length) return messages;
  const last = Math.floor(count / 2);
  return [...messages.slice(0, count - last), ...messages.slice(messages.length - last)];
}

/** Each message as JSON and a comma. */
function costOf(messages: readonly MinedMessage[], cap: number): number {
  return messages.reduce((sum, message) => sum + jsonLengthOf(shownWithin(message, cap)) + 1, 0);
}

function shownWithin({ id, role, timestamp, text }: MinedMessage, cap: number): PreparedMessage {
  return { id, role, timestamp, text: shortenMiddle(text, cap) };
}
