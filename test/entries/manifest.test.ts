import path from "node:path";
import { describe, expect, test } from "vitest";
import type { ExpectedTranscript } from "../../scripts/generate/model.ts";
import { readSessionEntries } from "../../src/entries/readSessionEntries.ts";
import type { SessionEntriesOutput, SessionEntriesParams } from "../../src/model.ts";
import { GENERATED, generated, generatedPath, RECORDED, recorded } from "../support/samples.ts";

process.env["TZ"] = generated.timeZone;
const options = { sessionsRoot: GENERATED };
const read = (transcript: ExpectedTranscript, params: Partial<SessionEntriesParams> = {}) =>
  readSessionEntries({ sessionPath: generatedPath(transcript.path), ...params }, options);
const byPath = (transcripts: readonly ExpectedTranscript[]) =>
  transcripts.map((transcript) => [path.basename(transcript.path), transcript] as const);

describe.each(byPath(generated.entries.filter(({ reject }) => reject === null)))(
  "%s",
  (_name, transcript) => {
    test("gives every entry of every line, with its text, role and ids, and nothing else", async () => {
      const { entries } = await read(transcript);
      const found = entries.map(({ lineNo, id, parentId, type, messageRole, text }) => ({
        ...{ lineNo, id, parentId, type, messageRole, text },
      }));
      const expected = transcript.lines.flatMap(({ lineNo, entries: parts = [] }) =>
        parts.map(({ id, parentId, type, messageRole, text }) => ({
          ...{ lineNo, id, parentId, type, messageRole, text },
        })),
      );
      expect(found).toEqual(expected);
      for (const { raw, timestamp, type } of entries) expect(raw).toMatchObject({ timestamp, type });
    });

    test("gives one warning for each line that is no whole entry, in line order, the file's own first", async () => {
      const { warnings } = await read(transcript);
      const expected = transcript.lines
        .filter((line) => line.expect !== "entry")
        .map(({ lineNo, expect: code }) => ({ lineNo: lineNo as number | null, code: code as string }));
      if (transcript.version === 1) expected.unshift({ lineNo: null, code: "legacy_version" });
      expect(warnings.map(({ lineNo, code }) => ({ lineNo, code }))).toEqual(expected);
      for (const { reason } of warnings) expect(reason).not.toBe("");
    });
  },
);

const withBranch = generated.entries.filter(({ activeBranchIds }) => activeBranchIds !== undefined);
test.each(byPath(withBranch))("%s has the active branch that Pi would open", async (_name, transcript) => {
  const { entries } = await read(transcript, { branch: "active" });
  expect(entries.map(({ id }) => id)).toEqual(transcript.activeBranchIds);
  expect(entries.map(({ lineNo }) => lineNo)).toEqual(transcript.activeBranchLineNos);
  const tip = await read(transcript, { branch: tipOf(await read(transcript)) });
  expect(tip.entries).toEqual(entries);
});

/** Id of the last entry that has one. */
function tipOf(output: SessionEntriesOutput): string {
  return output.entries.findLast(({ id }) => id !== null)?.id ?? "";
}

test.each(byPath(generated.entries.filter(({ reject }) => reject !== null)))(
  "%s is no Pi session",
  async (_name, transcript) => {
    const call = read(transcript);
    await expect(call).rejects.toThrow(/^not a Pi session file: /);
    await expect(call).rejects.toThrow(transcript.path);
  },
);

test("files rejected for different faults say so differently, and alike for the same", async () => {
  const reasons = new Map<string, Set<string>>();
  for (const transcript of generated.entries) {
    if (transcript.reject === null) continue;
    const error = await read(transcript).catch((caught: Error) => caught.message);
    const reason =
      String(error)
        .split(`${transcript.path}: `)[1]
        ?.split(/: | but |, found /)[0] ?? "";
    reasons.set(transcript.reject, (reasons.get(transcript.reject) ?? new Set()).add(reason));
  }
  const all = [...reasons.values()].flatMap((found) => [...found]);
  expect(all).toHaveLength(reasons.size);
  expect(new Set(all).size).toBe(reasons.size);
});

describe("the manifest's paths, with store/ as the only root", () => {
  const reads = {
    opened: (call: Promise<SessionEntriesOutput>) => expect(call).resolves.toHaveProperty("entries"),
    outside: (call: Promise<SessionEntriesOutput>) =>
      expect(call).rejects.toThrow(/outside the sessions root/),
    "could-not-read": (call: Promise<SessionEntriesOutput>) =>
      expect(call).rejects.toThrow(/^could not read session file: /),
  };
  test.each(generated.paths)("$path: $rule", async ({ path: relative, expect: expected }) => {
    const sessionPath = `${GENERATED}/${relative}`;
    await reads[expected](
      readSessionEntries({ sessionPath }, { sessionsRoot: generatedPath(generated.root) }),
    );
  });
});

describe.each(recorded)("the recorded session $name", ({ path: relative }) => {
  const sessionPath = path.join(RECORDED, relative);
  const readRecorded = (params: Partial<SessionEntriesParams> = {}) =>
    readSessionEntries({ sessionPath, ...params }, { sessionsRoot: RECORDED });

  test("is read without a warning: every line after the header is an entry with an id", async () => {
    const { entries, warnings } = await readRecorded();
    expect(warnings).toEqual([]);
    expect(entries.map(({ lineNo }) => lineNo)).toEqual(entries.map((_, i) => i + 2));
    expect(entries.every(({ id }) => id !== null)).toBe(true);
  });
});
