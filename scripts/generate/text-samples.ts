/** Owns the short form in which samples of `text` are written. */
import { startOf } from "./entries-lines.ts";
import type { Transcript } from "./transcript.ts";
import { entryOf, messageOf } from "./transcript.ts";

/** A row of samples that numbers its own ids, so that a sample is one line: rule, stored value, text. */
export class TextSamples {
  readonly transcript: Transcript;
  readonly #prefix: string;
  #last: string | null = null;
  #count = 0;

  constructor(name: string, prefix: string) {
    this.transcript = startOf(name);
    this.#prefix = prefix;
  }

  message(rule: string, message: unknown, text: string | null, note?: string): this {
    const [id, parent] = this.#next();
    this.transcript.entry(
      rule,
      { value: messageOf(id, parent, message), text },
      note === undefined ? {} : { note },
    );
    return this;
  }

  entry(rule: string, type: string, fields: object, text: string | null, note?: string): this {
    const [id, parent] = this.#next();
    const part = { value: entryOf(type, id, parent, { ...fields }), text };
    this.transcript.entry(rule, part, note === undefined ? {} : { note });
    return this;
  }

  #next(): [string, string | null] {
    const parent = this.#last;
    this.#count += 1;
    this.#last = `${this.#prefix}${this.#count}`;
    return [this.#last, parent];
  }
}
