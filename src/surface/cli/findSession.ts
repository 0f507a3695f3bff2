/** The session file that a person means: a path, or a file name or session id of the store as `pi --session` takes it. */
import { existsSync } from "node:fs";
import path from "node:path";
import { surveyStore } from "../../index/survey.ts";
import { isSessionName, stemOf } from "../../session/names.ts";
import { isReachable } from "../../session/openSession.ts";
import { Pace } from "../../session/pace.ts";
import { ParameterError } from "../../session/parameterError.ts";
import { requireRoots } from "../../session/store.ts";
import type { CliStore } from "./store.ts";

const MAX_SHOWN = 3;

/** An absolute path; of a file that may not be there when the name has a directory in it. */
export async function findSession(
  given: string,
  store: CliStore,
  resolve: (given: string) => string,
): Promise<string> {
  const asPath = resolve(given);
  if (given === "" || /[/\\]/.test(given) || given.startsWith("file:") || existsSync(asPath)) return asPath;
  const { directories } = await surveyStore(requireRoots(store), () => false, new Pace(store.signal));
  const found = directories.flatMap(({ path: directory, names }) =>
    names
      .filter((name) => isMeant(given, name))
      .map((name) => path.join(directory, name))
      .filter((found) => isReachable(found, store)),
  );
  const [only, another] = found;
  if (only === undefined) {
    if (isSessionName(given)) return asPath; // whoever opens it tells
    throw new ParameterError(
      `no session of the name or id ${JSON.stringify(given)}; pi-retrospect list --paths names them`,
    );
  }
  if (another === undefined) return only;
  const more = found.length > MAX_SHOWN ? `, … (${found.length})` : "";
  throw new ParameterError(`${given} may be one of ${found.slice(0, MAX_SHOWN).join(", ")}${more}`);
}

/** Pi names a file by time and id. */
function isMeant(given: string, name: string): boolean {
  const stem = stemOf(name);
  const id = stem.slice(stem.indexOf("_") + 1);
  return given === name || given === stem || given === id || (given.length >= 8 && id.startsWith(given));
}
