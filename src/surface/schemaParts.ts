/** The pieces that schemas are put together from, in standard JSON Schema. */
import { Type } from "typebox";

export const closed = { additionalProperties: false } as const;
export const nullableText = Type.Unsafe<string | null>({ type: ["string", "null"] });
/** Present and true, or absent. */
export const flag = Type.Optional(Type.Literal(true));
/** The roles whose text is searched and mined. */
export const SPEAKERS = ["user", "assistant"] as const;

export function oneOf<const T extends readonly string[]>(values: T, description?: string) {
  return Type.Unsafe<T[number]>({ type: "string", enum: values, ...(description ? { description } : {}) });
}

/** An optional string. */
export function text(description?: string) {
  return Type.Optional(Type.String(description ? { description } : {}));
}
