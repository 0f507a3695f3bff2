/** From the request to an open session file and a pace to read it at. */
import { closeSync } from "node:fs";
import type { StoreOptions } from "../model.ts";
import { openSession } from "../session/openSession.ts";
import { Pace } from "../session/pace.ts";
import type { OpenFile } from "../session/store.ts";
import type { ReadRequest } from "./request.ts";

export interface Transcript {
  readonly file: OpenFile;
  readonly version: number;
  readonly pace: Pace;
}

/**
 * Runs `use` on the session file that the request names and closes it.
 *
 * @throws ParameterError for a path outside every root
 * @throws Error for an unreadable root, an unreadable file, and one that is no Pi session
 */
export async function withTranscript<T>(
  request: ReadRequest,
  options: StoreOptions,
  use: (transcript: Transcript) => Promise<T>,
): Promise<T> {
  const pace = new Pace(options.signal);
  const file = openSession(request.sessionId, options, "sessionId");
  try {
    return await use({ file, version: file.version, pace });
  } finally {
    closeSync(file.fd);
  }
}
