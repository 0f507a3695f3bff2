/** Values between rows and code: what a column holds, and what may be put into one. */
import type { Row } from "./database.ts";

export function numberOf(row: Row | undefined, column: string): number {
  const value = row?.[column];
  return typeof value === "number" ? value : 0;
}

export function numberOrNull(row: Row, column: string): number | null {
  const value = row[column];
  return typeof value === "number" ? value : null;
}

export function textOf(row: Row, column: string): string | null {
  const value = row[column];
  return typeof value === "string" ? value : null;
}

export function bytesOf(row: Row, column: string): Uint8Array | null {
  const value = row[column];
  return value instanceof Uint8Array ? value : null;
}

/** node:sqlite reads a stored text up to its first NUL, which would make another value of it. */
export function storable<T extends string | null>(text: T): T | string {
  return text?.includes("\0") ? text.replaceAll("\0", "\ufffd") : text;
}
