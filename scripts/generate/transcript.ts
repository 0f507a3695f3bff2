/**
 * Owns the making of one transcript line by line, each line with its rule and fate. Checks what can be
 * checked without knowing the contract (a line holds no line break; "invalid_json" does not parse, the other
 * fates do), so that a slip of the pen in a sample cannot become an expectation.
 */
import type {
  ExpectedEntry,
  ExpectedLine,
  ExpectedTranscript,
  JsonObject,
  LineFate,
  RejectKind,
} from "./model.ts";

export type LineBreak = "\n" | "\r\n" | "\r" | "";

/** One complete entry and the text that the contract's table gives it. */
export interface Part {
  readonly value: JsonObject;
  readonly text: string | null;
}

export interface LineOptions {
  readonly eol?: LineBreak;
  readonly note?: string;
}

export function headerOf(id: string, timestamp: string, cwd: string, extra: JsonObject = {}): JsonObject {
  return { type: "session", version: 3, id, timestamp, cwd, ...extra };
}

/** The n-th second of the generated conversations. */
export function stamp(second: number): string {
  return new Date(Date.UTC(2026, 5, 1, 9, 0, second)).toISOString();
}

let nextSecond = 0;

/** An entry with the four base fields; each call takes the next second, so bytes depend on call order. */
export function entryOf(type: string, id: string, parentId: string | null, fields: JsonObject): JsonObject {
  nextSecond += 1;
  return { type, id, parentId, timestamp: stamp(nextSecond), ...fields };
}

export function messageOf(id: string, parentId: string | null, message: unknown): JsonObject {
  return entryOf("message", id, parentId, { message });
}

/** A user message whose text is its content. */
export function user(id: string, parentId: string | null, content: string): Part {
  return {
    value: messageOf(id, parentId, { role: "user", content, timestamp: 1780304400000 }),
    text: content,
  };
}

/** An assistant message with one text block. */
export function assistant(id: string, parentId: string | null, text: string): Part {
  const content = [{ type: "text", text }];
  return { value: messageOf(id, parentId, { role: "assistant", content, stopReason: "stop" }), text };
}

export function jsonOf(part: Part): string {
  return JSON.stringify(part.value);
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The stored id of a file of version 2 or later: a non-empty string, else null. */
function storedId(value: unknown, version: number): string | null {
  return version >= 2 && typeof value === "string" && value !== "" ? value : null;
}

function expectedEntry(value: JsonObject, text: string | null, version: number): ExpectedEntry {
  const { type, message } = value;
  if (typeof type !== "string") throw new Error("a sample entry without a type");
  const role =
    type === "message" && isObject(message) && Object.hasOwn(message, "role") ? message["role"] : null;
  return {
    id: storedId(value["id"], version),
    parentId: storedId(value["parentId"], version),
    type,
    messageRole: typeof role === "string" ? role : null,
    text,
  };
}

function parses(line: Buffer): boolean {
  try {
    JSON.parse(line.toString("utf8"));
    return true;
  } catch {
    return false;
  }
}

function headerBytes(header: JsonObject | string | Buffer): Buffer {
  if (Buffer.isBuffer(header)) return header;
  return Buffer.from(typeof header === "string" ? header : JSON.stringify(header));
}

export interface TranscriptOptions {
  readonly version?: number;
  readonly reject?: RejectKind;
  readonly headerEol?: LineBreak;
}

export class Transcript {
  readonly #chunks: Buffer[] = [];
  readonly #lines: ExpectedLine[] = [];
  readonly #version: number;
  readonly #reject: RejectKind | null;
  #branch: readonly string[] | undefined;

  /** `header` is line 1: an object to serialize, or bytes as they are. */
  constructor(header: JsonObject | string | Buffer, options: TranscriptOptions = {}) {
    this.#version = options.version ?? 3;
    this.#reject = options.reject ?? null;
    this.#chunks.push(headerBytes(header), Buffer.from(options.headerEol ?? "\n"));
  }

  entry(rule: string, part: Part, options: LineOptions = {}): this {
    return this.rawEntry(rule, JSON.stringify(part.value), part.text, options);
  }

  /** An entry whose bytes matter; its fields are read back from the line, its text is given. */
  rawEntry(rule: string, line: string | Buffer, text: string | null, options: LineOptions = {}): this {
    const value: unknown = JSON.parse(line.toString("utf8"));
    if (!isObject(value)) throw new Error(`no object: ${rule}`);
    return this.#add(rule, line, "entry", [expectedEntry(value, text, this.#version)], options);
  }

  invalidJson(rule: string, line: string | Buffer, options: LineOptions = {}): this {
    return this.#add(rule, line, "invalid_json", undefined, options);
  }

  invalidEntry(rule: string, line: string | JsonObject, options: LineOptions = {}): this {
    const text = typeof line === "string" ? line : JSON.stringify(line);
    return this.#add(rule, text, "invalid_entry", undefined, options);
  }

  recovered(rule: string, line: string | Buffer, parts: readonly Part[], options: LineOptions = {}): this {
    const entries = parts.map((part) => expectedEntry(part.value, part.text, this.#version));
    return this.#add(rule, line, "recovered_entry", entries, options);
  }

  /** Declares `branch: "active"` as `lineNo:id` marks in file order. */
  active(...marks: readonly string[]): this {
    this.#branch = marks;
    return this;
  }

  bytes(): Buffer {
    return Buffer.concat(this.#chunks);
  }

  expected(path: string, rule: string, note?: string): ExpectedTranscript {
    const rejected = this.#reject !== null;
    const marks = this.#branch?.map((mark) => mark.split(":"));
    return {
      path,
      rule,
      reject: this.#reject,
      version: rejected ? null : this.#version,
      lines: rejected ? [] : this.#lines,
      ...(marks === undefined
        ? {}
        : {
            activeBranchIds: marks.map((mark) => mark[1] ?? ""),
            activeBranchLineNos: marks.map((mark) => Number(mark[0])),
          }),
      ...(note === undefined ? {} : { note }),
    };
  }

  #add(
    rule: string,
    line: string | Buffer,
    expect: LineFate,
    entries: readonly ExpectedEntry[] | undefined,
    options: LineOptions,
  ): this {
    const bytes = typeof line === "string" ? Buffer.from(line) : line;
    if (bytes.includes(10) || bytes.includes(13)) throw new Error(`a line break inside a line: ${rule}`);
    const broken = expect === "invalid_json" || expect === "recovered_entry";
    if (parses(bytes) === broken) throw new Error(`the line belies its fate ${expect}: ${rule}`);
    this.#chunks.push(bytes, Buffer.from(options.eol ?? "\n"));
    this.#lines.push({
      lineNo: this.#lines.length + 2,
      rule,
      expect,
      ...(entries === undefined ? {} : { entries }),
      ...(options.note === undefined ? {} : { note: options.note }),
    });
    return this;
  }
}

/** The header and one question: the smallest honest session. */
export function plainTranscript(
  header: JsonObject | string | Buffer,
  options: TranscriptOptions = {},
): Transcript {
  const question = {
    value: {
      type: "message",
      id: "q1",
      parentId: null,
      timestamp: stamp(0),
      message: { role: "user", content: "Where is the parser?" },
    },
    text: "Where is the parser?",
  };
  return new Transcript(header, options).entry("an ordinary entry below the header under test", question);
}
