/** What travels between the thread that asks and the thread that owns the index. Everything can be cloned. */
import { ParameterError } from "../session/parameterError.ts";
import { IndexRefusedError } from "./files.ts";
import type { SyncProgress, SyncResult } from "./sync.ts";

export interface WorkerSettings {
  readonly indexPath: string;
}

/** `Params` is `never` on the side that receives: its methods know what their callers send. */
export type ToWorker<Params> =
  | { readonly kind: "call"; readonly id: number; readonly method: string; readonly params: Params }
  | { readonly kind: "abort"; readonly id: number }
  | { readonly kind: "close" };

export type FromWorker<Result> =
  | { readonly kind: "result"; readonly id: number; readonly result: Result }
  | { readonly kind: "error"; readonly id: number; readonly error: CarriedError }
  | { readonly kind: "progress"; readonly id: number; readonly progress: unknown }
  | { readonly kind: "background"; readonly event: BackgroundEvent };

export type BackgroundEvent =
  | { readonly kind: "progress"; readonly progress: SyncProgress }
  | { readonly kind: "done"; readonly result: SyncResult };

/** A clone of an error loses its class. */
export interface CarriedError {
  readonly name: string;
  readonly message: string;
}

const CLASSES = { ParameterError, IndexRefusedError } as const;

export function carryError(error: unknown): CarriedError {
  return error instanceof Error
    ? { name: error.name, message: error.message }
    : { name: "Error", message: String(error) };
}

/** The error as it was thrown, of the same class where callers tell classes apart. */
export function restoreError({ name, message }: CarriedError): Error {
  if (name === "ParameterError" || name === "IndexRefusedError") return new CLASSES[name](message);
  return new Error(message);
}
