/** The second look at a file: reads the lines of the chosen messages again, and keeps what an answer shows of them. */
import type { TranscriptMessage } from "../model.ts";
import { judgeLine, type StoredEntry } from "../session/entry.ts";
import { readLines } from "../session/lines.ts";
import { contentOf, roleOf, toolFactsOf } from "./content.ts";
import type { Transcript } from "./open.ts";
import type { LinePlace, Outline } from "./outline.ts";

/** The messages with these ordinals, in the order given. Lines are read one at a time, so that only one is held. */
export async function readMessages(
  transcript: Transcript,
  outline: Outline,
  ordinals: readonly number[],
): Promise<readonly TranscriptMessage[]> {
  const messages: TranscriptMessage[] = [];
  let held: { readonly number: number; readonly entries: readonly StoredEntry[] } | undefined;
  for (const ordinal of ordinals) {
    if (transcript.pace.isDue()) await transcript.pace.rest();
    const place = outline.lineOf(ordinal);
    // Neighbours on a branch may be glued on one line, which can be long.
    if (held?.number !== place.number) held = { number: place.number, entries: entriesAt(transcript, place) };
    const entry = held.entries[outline.placeInLine(ordinal)];
    if (entry === undefined || entry.id !== outline.idOf(ordinal)) {
      throw new Error(`session file changed while it was read: line ${place.number} is another one now`);
    }
    messages.push(messageOf(entry, place.number));
  }
  return messages;
}

function entriesAt({ file, version }: Transcript, place: LinePlace): readonly StoredEntry[] {
  const { offset, nextOffset, number } = place;
  const range = { fromOffset: offset, toOffset: nextOffset, firstNumber: number };
  for (const line of readLines(file.fd, range)) return judgeLine(line, version).entries;
  return [];
}

function messageOf(entry: StoredEntry, lineNo: number): TranscriptMessage {
  const role = roleOf(entry);
  if (role === undefined)
    throw new Error(`session file changed while it was read: line ${lineNo} is no message now`);
  const { id, timestamp } = entry;
  return { id, lineNo, role, timestamp, content: contentOf(entry), ...toolFactsOf(entry) };
}
