/** A caller's mistake, told apart from a failure of the store: the message says what was wrong and what is accepted. */
export class ParameterError extends Error {
  override readonly name = "ParameterError";
}
