/** `readSessionEntries`: the stored entries of one file, in file order, every branch, no compaction or edit applied. */
import { closeSync } from "node:fs";
import type {
  SessionEntriesOutput,
  SessionEntriesParams,
  SessionEntriesWarning,
  SessionEntry,
  StoreOptions,
} from "../model.ts";
import { FIRST_ADDRESSED_VERSION, type JudgedLine, judgeLine } from "../session/entry.ts";
import { describe } from "../session/header.ts";
import { type Line, readLines } from "../session/lines.ts";
import { openSession } from "../session/openSession.ts";
import { Pace } from "../session/pace.ts";
import { ParameterError } from "../session/parameterError.ts";
import type { OpenFile } from "../session/store.ts";
import { textOf } from "../session/text.ts";
import { EntryTree } from "../session/tree.ts";
import { isEntryKept, isTextKept } from "./filter.ts";
import { EntryPage } from "./page.ts";
import { type EntriesQuery, requireEntriesQuery } from "./plan.ts";

/** The branch parameter's name for the branch that Pi would open. */
export const ACTIVE_BRANCH = "active";

/**
 * Reads the entries that match. Every line is read and judged whatever the filters, so the warnings always describe
 * the whole file; a row that is filtered out keeps nothing in memory.
 *
 * @throws ParameterError (a rejection) for a bad parameter, before any file is opened, for a path outside every root,
 * and, after reading, for an unknown `branch`
 * @throws Error for an unreadable root, an unreadable file, and one that is no Pi session
 */
export async function readSessionEntries(
  params: SessionEntriesParams,
  options: StoreOptions,
): Promise<SessionEntriesOutput> {
  const query = requireEntriesQuery(params);
  const pace = new Pace(options.signal);
  const file = openSession(query.sessionPath, options);
  try {
    const { version } = file;
    const onBranch =
      query.branch === undefined ? undefined : await findBranch(file, version, query.branch, pace);
    return await collect(file, version, query, onBranch, pace);
  } finally {
    closeSync(file.fd);
  }
}

async function collect(
  file: OpenFile,
  version: number,
  query: EntriesQuery,
  onBranch: ReadonlySet<number> | undefined,
  pace: Pace,
): Promise<SessionEntriesOutput> {
  const page = new EntryPage(query.limit, query.maxBytes);
  const warnings: SessionEntriesWarning[] = [];
  if (version < FIRST_ADDRESSED_VERSION) {
    const reason = "version 1 file: Pi replaces its ids when it migrates, so ids are null here";
    warnings.push({ lineNo: null, code: "legacy_version", reason });
  }
  let ordinal = 0;
  await forEachJudgedLine(file, version, pace, (line, judged) => {
    if (judged.problem !== undefined) warnings.push({ lineNo: line.number, ...judged.problem });
    const rows: SessionEntry[] = [];
    for (const entry of judged.entries) {
      const isOnBranch = onBranch === undefined || onBranch.has(ordinal);
      ordinal++;
      if (page.isFull || !isOnBranch) continue;
      if (!isEntryKept(query, line.number, entry)) continue;
      const text = textOf(entry.raw);
      if (!isTextKept(query, text)) continue;
      const { id, parentId, timestamp, type, messageRole } = entry;
      const raw = query.withRaw ? entry.raw : null;
      rows.push({ lineNo: line.number, id, parentId, timestamp, type, messageRole, text, raw });
    }
    page.addLine(rows);
  });
  const { entries, nextLineNo } = page;
  return nextLineNo === undefined ? { entries, warnings } : { entries, warnings, nextLineNo };
}

/** Ordinals of the entries on the branch, in a pass of its own that keeps nothing but links. */
async function findBranch(
  file: OpenFile,
  version: number,
  branch: string,
  pace: Pace,
): Promise<ReadonlySet<number>> {
  if (version < FIRST_ADDRESSED_VERSION) {
    throw new ParameterError(
      `branch needs a file of version ${FIRST_ADDRESSED_VERSION} or later, this one has version ${version} and no branches; leave branch out`,
    );
  }
  const tree = new EntryTree<number>();
  let ordinal = 0;
  await forEachJudgedLine(file, version, pace, (_line, judged) => {
    for (const entry of judged.entries) tree.add(entry, ordinal++);
    if (judged.skippedLink !== undefined) tree.addSkipped(judged.skippedLink);
  });
  const tipId = branch === ACTIVE_BRANCH ? tree.activeTipId : branch;
  if (tipId === undefined) return new Set();
  if (!tree.has(tipId)) {
    throw new ParameterError(
      `branch ${describe(branch)} is no entry id of this file; expected "${ACTIVE_BRANCH}" or the id of an entry`,
    );
  }
  return new Set(tree.pathFrom(tipId).path);
}

/**
 * Bytes between two rests. V8 clears its nursery at a rest, when nothing of a line is alive; without enough of them it
 * does so in the middle of a line, keeps what is alive, and makes the nursery larger.
 */
const REST_BYTES = 1 << 17;

/** Judges every line below the header. */
async function forEachJudgedLine(
  file: OpenFile,
  version: number,
  pace: Pace,
  use: (line: Line, judged: JudgedLine) => void,
): Promise<void> {
  let restAt = REST_BYTES;
  for (const line of readLines(file.fd, { toOffset: file.size })) {
    if (line.number > 1) use(line, judgeLine(line, version));
    if (line.nextOffset < restAt && !pace.isDue()) continue;
    await pace.rest();
    restAt = line.nextOffset + REST_BYTES;
  }
}
