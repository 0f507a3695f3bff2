/**
 * The bound on what `session_search` gives back, errors included. Texts are shortened in the middle, all by the same cap,
 * the largest that fits; metadata is never dropped, so metadata beyond the bound is an error.
 */
import type { PrepareOutput, SessionSearchOutput } from "../model.ts";
import { jsonLengthOf, largestFitting, MAX_RESULT_CHARS } from "../session/bound.ts";
import { MAX_REPEATED_CHARS, shortenMiddle } from "../session/cut.ts";
import { messageOf } from "../session/json.ts";
import { ParameterError } from "../session/parameterError.ts";

/** Characters of an error's message: enough to name the fault, the roots and what is accepted. */
export const MAX_ERROR_CHARS = 2_000;

/** Applied to every text that may be shortened while the result is built; metadata is left alone. */
export type Shorten = (text: string) => string;

interface Boundable {
  readonly contentTruncated?: true;
}

/**
 * The result of `build`, with its texts whole when it fits into `maxChars` as JSON, else shortened and marked
 * `contentTruncated: true`. `build` is called several times and must give the same result but for the texts.
 *
 * @throws Error when not even empty texts make it fit
 */
export function boundResult<T extends Boundable>(
  build: (shorten: Shorten) => T,
  maxChars = MAX_RESULT_CHARS,
): T {
  let longest = 0;
  const whole = build((text) => {
    longest = Math.max(longest, text.length);
    return text;
  });
  if (jsonLengthOf(whole) <= maxChars) return whole;
  const shortened = (cap: number): T => ({
    ...build((text) => shortenMiddle(text, cap)),
    contentTruncated: true as const,
  });
  // A text longer than the bound never fits, so no larger cap needs a try.
  const cap = largestFitting(Math.min(longest, maxChars), (cap) => jsonLengthOf(shortened(cap)) <= maxChars);
  if (cap === undefined) {
    throw new Error(
      `the answer does not fit into ${maxChars} characters even without any text; ask for less (limit, window, a narrower query)`,
    );
  }
  return shortened(cap);
}

/** An answer within the bound. Preparation shares its space among sessions and bounds itself. */
export function boundOutput(output: Exclude<SessionSearchOutput, PrepareOutput>): SessionSearchOutput {
  return boundResult<SessionSearchOutput>((shorten) => {
    switch (output.mode) {
      case "discovery":
        return {
          ...output,
          results: output.results.map((hit) => ({ ...hit, snippet: shorten(hit.snippet) })),
        };
      case "browse":
        return {
          ...output,
          sessions: output.sessions.map((session) => ({ ...session, preview: shorten(session.preview) })),
        };
      case "read":
      case "scroll":
        return {
          ...output,
          messages: output.messages.map((message) => ({ ...message, content: shorten(message.content) })),
        };
    }
  });
}

/**
 * The error as it may be shown: its message repeats at most `MAX_REPEATED_CHARS` of any string in `params` and is at most
 * `MAX_ERROR_CHARS` long. A caller's mistake stays one. An error that is short enough is returned as it is.
 */
export function boundError(error: unknown, params?: unknown): Error {
  const message = messageOf(error);
  let bounded = message;
  for (const value of longStringsOf(params)) {
    const short = shortenMiddle(value, MAX_REPEATED_CHARS);
    // Messages quote a value as it is, or as JSON.
    bounded = bounded
      .replaceAll(JSON.stringify(value), () => JSON.stringify(short))
      .replaceAll(value, () => short);
  }
  bounded = shortenMiddle(bounded, MAX_ERROR_CHARS);
  if (error instanceof Error && bounded === message) return error;
  return error instanceof ParameterError ? new ParameterError(bounded) : new Error(bounded);
}

function longStringsOf(params: unknown): readonly string[] {
  const values = typeof params === "object" && params !== null ? Object.values(params).flat() : [];
  const isLong = (value: unknown): value is string =>
    typeof value === "string" && value.length > MAX_REPEATED_CHARS;
  return values.filter(isLong);
}
