/** What a session is to become, what its store shares with it, and what is counted while it is written. */
import type { Bulk } from "./bulk.ts";
import type { Plant } from "./items.ts";
import type { Prose } from "./prose.ts";

/** What all sessions of a store share. */
export interface Material {
  readonly prose: Prose;
  readonly bulk: Bulk;
  readonly systemMessage: (cwd: string, timestamp: number) => object;
}

export interface SessionPlan {
  readonly id: string;
  readonly cwd: string;
  readonly startMs: number;
  readonly seed: string;
  /** The session ends when it has as many bytes, or as many entries. */
  readonly bytes: number;
  readonly maxEntries?: number;
  /** Bounds each text of a tool result, and so the bytes per entry. */
  readonly maxResultChars?: number;
  /** A fork: the origin's path and the lines it copied. */
  readonly fork?: { readonly parentSession: string; readonly lines: readonly string[] };
  readonly plants: readonly Plant[];
  readonly decoys: readonly Plant[];
  readonly hasLongestLine: boolean;
  readonly hasTornTail: boolean;
}

/** Bytes by what they are, and how many visible messages. */
export interface Tally {
  visible: number;
  messages: number;
  output: number;
  arguments: number;
  thinking: number;
}
