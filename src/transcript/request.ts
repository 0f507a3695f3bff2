/** What reading and scrolling are asked for, checked by whoever parsed the parameters. */

export interface ReadRequest {
  /** Absolute path of a session file, in the caller's spelling. */
  readonly sessionId: string;
}

export interface ScrollRequest extends ReadRequest {
  /** Id of the entry at the centre. */
  readonly aroundMessageId: string;
  /** Id of the entry at the branch's end; undefined chooses the newest branch through the centre. */
  readonly branchTip: string | undefined;
  /** Messages on either side of the centre, at least 1. */
  readonly window: number;
}
