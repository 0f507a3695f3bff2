/** Answers to the questions asked last, as long as what they were asked of does not change. */
export class Recent<T> {
  readonly #limit: number;
  readonly #answers = new Map<string, T>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** What was answered before, or else what `answer` gives now. */
  get(question: string, answer: () => T): T {
    const known = this.#answers.get(question) ?? answer();
    this.#answers.delete(question); // to stand last, as the one asked last
    this.#answers.set(question, known);
    const [oldest] = this.#answers.keys();
    if (this.#answers.size > this.#limit && oldest !== undefined) this.#answers.delete(oldest);
    return known;
  }
}
