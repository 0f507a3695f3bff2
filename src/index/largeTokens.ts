/** The words of a folded text of many megabytes, in pieces that end at a space: whole, they would take its length again. */
import { tokensOf } from "./fold.ts";

const PIECE_BYTES = 1 << 17;
const SPACE = 0x20;

/** Together the same words as `tokensOf` has. */
export function* tokenPieces(folded: Buffer, pieceBytes = PIECE_BYTES): Generator<string, void, undefined> {
  for (let start = 0; start < folded.length; ) {
    const space = folded.indexOf(SPACE, start + pieceBytes);
    const end = space === -1 ? folded.length : space + 1;
    yield tokensOf(folded.toString("utf8", start, end));
    start = end;
  }
}
