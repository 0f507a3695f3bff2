/**
 * Does something just before the n-th call of the file system below a directory, so that what happens between a look and
 * an open is chosen by a seed and not by luck. Only synchronous calls are made by the readers, and only those are met.
 */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const BY_PATH = ["openSync", "opendirSync", "readdirSync", "lstatSync", "statSync", "realpathSync"] as const;
const BY_DESCRIPTOR = ["readSync", "fstatSync"] as const;

export interface HookedCall {
  readonly name: string;
  /** Absent for a call on a descriptor. */
  readonly path?: string;
  /** Counts from 0. */
  readonly number: number;
}

/** Runs `work` and calls `before` ahead of each call below `directory`; what it throws, the call throws. */
export async function withFsHook<T>(
  directory: string,
  before: (call: HookedCall) => void,
  work: () => Promise<T>,
): Promise<T> {
  const target: Record<string, unknown> = fs as never;
  const originals = new Map<string, unknown>(
    [...BY_PATH, ...BY_DESCRIPTOR].map((name) => [name, target[name]]),
  );
  let number = 0;
  let isInside = false;
  const meet = (name: string, first: unknown) => {
    const isPath = typeof first === "string";
    if (isInside || (isPath && !first.startsWith(directory))) return;
    isInside = true;
    try {
      before({ name, ...(isPath ? { path: first } : {}), number: number++ });
    } finally {
      isInside = false;
    }
  };
  for (const [name, original] of originals) {
    if (typeof original !== "function") throw new Error(`no fs.${name}`);
    const hooked = (...args: unknown[]): unknown => {
      meet(name, args[0]);
      return Reflect.apply(original, fs, args);
    };
    target[name] = Object.assign(hooked, original);
  }
  syncBuiltinESMExports();
  try {
    return await work();
  } finally {
    for (const [name, original] of originals) target[name] = original;
    syncBuiltinESMExports();
  }
}
