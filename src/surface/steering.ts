/** Marks corrections that arrive while the agent works, so that they can be found later. Changes nothing else. */
import { marksSteering, STEERING_MARKER } from "./settings.ts";

/** The part of Pi's input event that matters. */
export interface SteeringInput {
  readonly text: string;
  readonly source: string;
  readonly streamingBehavior?: string | undefined;
}

/** The marked text, or undefined when the input is left as it is. */
export function markedText(input: SteeringInput, effectiveSettings: () => unknown): string | undefined {
  const isSteering =
    input.streamingBehavior === "steer" && (input.source === "interactive" || input.source === "rpc");
  if (!isSteering || input.text.startsWith("/") || input.text.startsWith(STEERING_MARKER)) return undefined;
  return marksSteering(effectiveSettings) ? STEERING_MARKER + input.text : undefined;
}
