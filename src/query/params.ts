/**
 * Parameters from a caller, checked before any file is opened. Each message names the parameter, the fault and what
 * is accepted. `undefined` means absent.
 */
import { describe } from "../session/header.ts";
import { ParameterError } from "../session/parameterError.ts";

export function refuseParameter(name: string, value: unknown, accepted: string): never {
  throw new ParameterError(`${name} must be ${accepted}, got ${describe(value)}`);
}

/** The parameters as a record, none of them unknown. */
export function requireParams(
  params: unknown,
  names: readonly string[],
  what: string,
): Record<string, unknown> {
  if (typeof params !== "object" || params === null || Array.isArray(params)) {
    throw new ParameterError(`${what} must be an object, got ${describe(params)}`);
  }
  const given: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(params)) {
    if (value === undefined) continue;
    if (!names.includes(name)) {
      throw new ParameterError(`unknown parameter ${describe(name)}; ${what} accepts ${names.join(", ")}`);
    }
    given[name] = value;
  }
  return given;
}

export function optionalStrings(name: string, value: unknown): readonly string[] | undefined {
  if (value === undefined) return undefined;
  if (!Array.isArray(value)) return refuseParameter(name, value, "an array of strings");
  const bad = value.findIndex((item) => typeof item !== "string");
  if (bad !== -1) throw new ParameterError(`${name} must hold strings only, got ${describe(value[bad])}`);
  return value;
}

export function optionalString(name: string, value: unknown): string | undefined {
  if (value === undefined || typeof value === "string") return value;
  return refuseParameter(name, value, "a string");
}

export function optionalBoolean(name: string, value: unknown): boolean | undefined {
  if (value === undefined || typeof value === "boolean") return value;
  return refuseParameter(name, value, "true or false");
}

export function optionalCount(name: string, value: unknown): number | undefined {
  if (value === undefined || (typeof value === "number" && Number.isSafeInteger(value) && value >= 1))
    return value;
  return refuseParameter(name, value, "an integer of at least 1");
}

export function optionalChoice<T extends string>(
  name: string,
  value: unknown,
  choices: readonly T[],
): T | undefined {
  if (value === undefined) return undefined;
  const choice = choices.find((candidate) => candidate === value);
  return (
    choice ?? refuseParameter(name, value, choices.map((candidate) => JSON.stringify(candidate)).join(" or "))
  );
}
