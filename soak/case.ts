/** What a family of faults is: rounds that each follow from a seed and throw when they find something. */

export interface Round {
  readonly seed: number;
  /** In the short form a round does less of the same. */
  readonly isShort: boolean;
  /** Empty; removed after the round. */
  readonly directory: string;
  /** Adds to a figure of the report. */
  count(what: string, by?: number): void;
  /** Raises a figure of the report to at least `value`. */
  atMost(what: string, value: number): void;
}

export interface SoakCase {
  readonly name: string;
  /** One line for people. */
  readonly what: string;
  readonly longRounds: number;
  readonly shortRounds: number;
  /** Why it cannot run here; undefined when it can. */
  readonly obstacle?: () => string | undefined;
  /** Throws what it finds. */
  readonly run: (round: Round) => Promise<void>;
}
