/**
 * What user and assistant said on a session's active branch, read from the file. Keeps no more than an answer could
 * ever show: the messages at both ends, their texts as far as they fit together.
 */
import { closeSync } from "node:fs";
import type { PreparedMessage, StoreOptions } from "../model.ts";
import { jsonLengthOf } from "../session/bound.ts";
import { shortenMiddle } from "../session/cut.ts";
import { FIRST_ADDRESSED_VERSION, judgeLine, type StoredEntry } from "../session/entry.ts";
import { readLines } from "../session/lines.ts";
import { type OpenSession, openSession } from "../session/openSession.ts";
import { Pace } from "../session/pace.ts";
import { textOf } from "../session/text.ts";
import { EntryTree } from "../session/tree.ts";
import { contentOf, MAX_CONTENT_CHARS } from "../transcript/content.ts";
import { fairShares } from "./share.ts";

/** A text is not made shorter than this as long as messages in the middle can be left out instead. */
export const MIN_TEXT_CHARS = 200;

export interface MinedMessage extends PreparedMessage {
  /** The text is no longer whole. */
  readonly isShortened: boolean;
}

export interface SessionTexts {
  /** In order; when not all were read, those from both ends. */
  readonly messages: readonly MinedMessage[];
  /** How many there are on the branch. */
  readonly total: number;
}

interface Place {
  readonly number: number;
  readonly offset: number;
  readonly nextOffset: number;
  /** How many entries of the same line stand before it. */
  readonly inLine: number;
  readonly id: string | null;
}

/**
 * @param maxChars what can be shown of the session at most
 * @throws Error for a file that cannot be had, and the signal's reason when aborted
 */
export async function readTexts(
  sessionPath: string,
  store: StoreOptions,
  maxChars: number,
): Promise<SessionTexts> {
  const pace = new Pace(store.signal);
  const file = openSession(sessionPath, store, "path");
  try {
    const places = await findMessages(file, pace);
    const last = places.length - 1;
    const head = new End(maxChars);
    let next = 0;
    for (; next <= last && !head.isFull; next++) head.add(await readMessage(file, places[next], pace));
    const tail = new End(maxChars);
    for (let at = last; at >= next && !tail.isFull; at--) tail.add(await readMessage(file, places[at], pace));
    return { messages: [...head.messages, ...tail.messages.toReversed()], total: places.length };
  } finally {
    closeSync(file.fd);
  }
}

/** Where the messages with words stand, along the branch that Pi would open. */
async function findMessages(file: OpenSession, pace: Pace): Promise<readonly Place[]> {
  const places: Place[] = [];
  const tree = new EntryTree<number>();
  const placeOf = new Map<number, Place>();
  let ordinal = 0;
  for (const line of readLines(file.fd, { toOffset: file.size })) {
    if (pace.isDue()) await pace.rest();
    if (line.number === 1) continue;
    const { entries, skippedLink } = judgeLine(line, file.version);
    if (skippedLink !== undefined) tree.addSkipped(skippedLink);
    for (const [inLine, entry] of entries.entries()) {
      tree.add(entry, ordinal);
      if (wordsOf(entry) !== undefined) {
        const { number, offset, nextOffset } = line;
        const place = { number, offset, nextOffset, inLine, id: entry.id };
        placeOf.set(ordinal, place);
        places.push(place);
      }
      ordinal++;
    }
  }
  if (file.version < FIRST_ADDRESSED_VERSION) return places; // one line of messages, in file order
  const tip = tree.activeTipId;
  if (tip === undefined) return [];
  return tree
    .pathFrom(tip)
    .path.toReversed()
    .flatMap((at) => placeOf.get(at) ?? []);
}

async function readMessage(file: OpenSession, place: Place | undefined, pace: Pace): Promise<MinedMessage> {
  if (pace.isDue()) await pace.rest();
  if (place !== undefined) {
    const range = { fromOffset: place.offset, toOffset: place.nextOffset, firstNumber: place.number };
    for (const line of readLines(file.fd, range)) {
      const entry = judgeLine(line, file.version).entries[place.inLine];
      const words = entry === undefined ? undefined : wordsOf(entry);
      if (entry === undefined || words === undefined || entry.id !== place.id) break;
      return { id: entry.id, role: words.role, timestamp: entry.timestamp, ...shownOf(entry, words.text) };
    }
  }
  throw new Error("session file changed while it was read");
}

/** Undefined for what is no message of the two, and for one without visible text. */
function wordsOf(
  entry: StoredEntry,
): { readonly role: "user" | "assistant"; readonly text: string } | undefined {
  const { messageRole: role } = entry;
  if (role !== "user" && role !== "assistant") return undefined;
  const text = textOf(entry.raw);
  return text !== null && /\S/.test(text) ? { role, text } : undefined;
}

/** The text as reading shows it, without the images and tool calls that stand beside it there. */
function shownOf(entry: StoredEntry, text: string): { readonly text: string; readonly isShortened: boolean } {
  const shown = contentOf({
    ...entry,
    messageRole: "user",
    raw: { message: { role: "user", content: text } },
  });
  return { text: shown, isShortened: text.length > MAX_CONTENT_CHARS };
}

/** The messages from one end, until no answer could show a further one. */
class End {
  messages: MinedMessage[] = [];
  readonly #maxChars: number;
  #textChars = 0;
  #leastChars = 0;

  constructor(maxChars: number) {
    this.#maxChars = maxChars;
  }

  get isFull(): boolean {
    return this.#leastChars > this.#maxChars;
  }

  add(message: MinedMessage): void {
    this.messages.push(message);
    this.#textChars += message.text.length;
    const { isShortened: _, ...shown } = message;
    this.#leastChars += jsonLengthOf({ ...shown, text: shortenMiddle(message.text, MIN_TEXT_CHARS) });
    if (this.#textChars > 2 * this.#maxChars) this.#trim();
  }

  /** Shortens the longest texts to what would fit if nothing else were shown: they can only become shorter later. */
  #trim(): void {
    const lengths = this.messages.map(({ text }) => text.length);
    const cap = Math.max(MIN_TEXT_CHARS, ...fairShares(lengths, this.#maxChars));
    this.messages = this.messages.map((message) => {
      if (message.text.length <= cap) return message;
      return { ...message, text: shortenMiddle(message.text, cap), isShortened: true };
    });
    this.#textChars = this.messages.reduce((sum, { text }) => sum + text.length, 0);
  }
}
