/** A file that is written line by line in large pieces, and knows its size and its longest line. */
import { closeSync, openSync, writeFileSync } from "node:fs";

const PIECE_CHARS = 1 << 20;

export class LineFile {
  readonly #fd: number;
  #pending: string[] = [];
  #pendingChars = 0;
  bytes = 0;
  lines = 0;
  longestLine = 0;

  constructor(path: string) {
    this.#fd = openSync(path, "wx");
  }

  line(text: string): void {
    const bytes = Buffer.byteLength(text) + 1;
    this.longestLine = Math.max(this.longestLine, bytes);
    this.lines++;
    this.#add(`${text}\n`, bytes);
  }

  /** Text without a line break behind it. */
  text(text: string): void {
    this.#add(text, Buffer.byteLength(text));
  }

  close(): void {
    this.#flush();
    closeSync(this.#fd);
  }

  #add(text: string, bytes: number): void {
    this.bytes += bytes;
    this.#pending.push(text);
    this.#pendingChars += text.length;
    if (this.#pendingChars >= PIECE_CHARS) this.#flush();
  }

  #flush(): void {
    if (this.#pendingChars > 0) writeFileSync(this.#fd, this.#pending.join(""));
    this.#pending = [];
    this.#pendingChars = 0;
  }
}
