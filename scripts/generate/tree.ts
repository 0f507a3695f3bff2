/**
 * Owns the samples of the outer levels: what is a project, a top-level session, a flat root, and what is none
 * of them (contract: list_sessions, discovery 1 and 2).
 */
import type { SampleSet } from "./sample-set.ts";
import { containerOf, FLAT, NOT_FLAT, STORE, shapedName } from "./sample-set.ts";
import { headerOf, plainTranscript } from "./transcript.ts";

/** Line 1 of a file whose writer was stopped. */
export const TORN_HEADER = '{"type":"session","version":3,"id":"torn","timestamp":"2026-05-';

export function addTree(set: SampleSet): void {
  addRootLevel(set);
  addStems(set);
  addFlatRoots(set);
}

function addRootLevel(set: SampleSet): void {
  const shaped = shapedName("2026-05-09T08:00:00.000Z", "stray");
  const rule = "discovery 1: everything at root level that is no --<slug>-- directory is ignored";
  set.unlisted(
    `${STORE}/${shaped}`,
    "stray",
    `${rule}; a name-shaped file beside projects makes no flat root`,
  );
  set.unlisted(`${STORE}/notes/${shaped}`, "notes", `${rule}: notes/`);
  set.unlisted(`${STORE}/--x-/${shaped}`, "near-1", `${rule}: one dash at the end`);
  set.unlisted(`${STORE}/-x--/${shaped}`, "near-2", `${rule}: one dash at the start`);
  set.unlisted(`${STORE}/---/${shaped}`, "near-3", `${rule}: two pairs of dashes may not overlap`);
  set.unlisted(`${STORE}/----x/${shaped}`, "near-4", `${rule}: the end is missing`);
  set.file(`${STORE}/--file--`, '{"type":"session"}\n');
  set.ignore(`${STORE}/--file--`, "discovery 1: a project directory is a directory");
  set.unlisted(`${STORE}/notes/--inner--/${shaped}`, "inner", "discovery 1: only immediate subdirectories");
  set.session({
    path: `${STORE}/----/${shapedName("2026-05-03T08:00:00.000Z", "slash")}`,
    id: "slash",
    timestamp: "2026-05-03T08:00:00.000Z",
    cwd: "/",
    rule: "discovery 1: the slug of cwd / is empty and ---- is a project directory",
  });
  set.path(
    `${STORE}/${shaped}`,
    "opened",
    "session_entries: no file name hides a readable file inside the root",
  );
  set.path(
    `${STORE}/notes/${shaped}`,
    "opened",
    "rule 6: inside the root, wherever the listing does not look",
  );
}

/** Odd file names directly inside a project: the rule there is `*.jsonl`, not the name shape. */
function addStems(set: SampleSet): void {
  const dir = `${STORE}/--srv-stems--`;
  const cwd = "/srv/stems";
  const top = (name: string, id: string, minute: number, rule: string, note?: string) =>
    set.session({
      path: `${dir}/${name}`,
      id,
      timestamp: `2026-05-04T08:0${minute}:00.000Z`,
      cwd,
      rule,
      ...(note === undefined ? {} : { note }),
    });
  const dotted = top(
    "odd.name.jsonl",
    "odd-name",
    1,
    "discovery 1: any *.jsonl name; only .jsonl is cut off the stem",
  );
  set.session({
    path: `${containerOf(dotted)}/run-a/run-0/session.jsonl`,
    id: "odd-child",
    timestamp: "2026-05-04T08:01:30.000Z",
    cwd,
    parent: dotted,
    rule: "discovery 3: the container of odd.name.jsonl is odd.name/",
  });
  const top1 = top(
    "session.jsonl",
    "top-session",
    2,
    "discovery 1: session.jsonl is as good a name as any at top level",
  );
  set.session({
    path: `${containerOf(top1)}/run-0/session.jsonl`,
    id: "top-session-child",
    timestamp: "2026-05-04T08:02:30.000Z",
    cwd,
    parent: top1,
    rule: "discovery 3: the container of a top-level session.jsonl is session/",
  });
  top(".hidden.jsonl", "hidden", 3, "discovery 1: a leading dot does not hide a *.jsonl file");
  top(
    ".jsonl",
    "empty-stem",
    4,
    "discovery 1: a file named .jsonl ends with .jsonl",
    [
      "Two readings: a shell's *.jsonl leaves it out. Listed: that hides least. Its stem is empty and",
      "dirname/stem would be the project itself, so it has no container and takes nobody's children.",
    ].join(" "),
  );
  top("no-container.jsonl", "no-container", 5, "a missing container is normal and costs no warning");
  set.file(`${dir}/UPPER.JSONL`, '{"type":"session"}\n');
  set.ignore(`${dir}/UPPER.JSONL`, "discovery 1: *.jsonl compares by code unit");
  set.file(`${dir}/readme.txt`, "no session\n");
  set.ignore(`${dir}/readme.txt`, "discovery 1: no *.jsonl file");
}

function addFlatRoots(set: SampleSet): void {
  const flat = (name: string, id: string, timestamp: string, cwd: string, rule: string) =>
    set.session({ path: `${FLAT}/${name}`, id, timestamp, cwd, rule });
  const first = shapedName("2026-05-05T08:00:00.000Z", "flat-one");
  const parent = flat(first, "flat-one", "2026-05-05T08:00:00.000Z", "/srv/flat", "discovery 2: flat root");
  flat(
    "renamed.jsonl",
    "flat-two",
    "2026-05-05T07:00:00.000Z",
    "/home/ada/flat",
    "discovery 2: as one project, so *.jsonl",
  );
  set.session({
    path: `${containerOf(parent)}/run-a/run-0/session.jsonl`,
    id: "flat-child",
    timestamp: "2026-05-05T08:01:00.000Z",
    cwd: "/srv/flat",
    parent,
    rule: "discovery 2 and 3: containers work in a flat root",
  });
  set.session({
    path: `${FLAT}/2026-05-05T09-00-00-000Z_flat-gone/run-a/run-0/session.jsonl`,
    id: "flat-orphan",
    timestamp: "2026-05-05T09:01:00.000Z",
    cwd: "/srv/flat",
    orphan: true,
    onlyWithOrphans: true,
    rule: "discovery 2 and 8: orphans work in a flat root",
  });
  const bad = `${FLAT}/${shapedName("2026-05-05T10:00:00.000Z", "flat-bad")}`;
  set.file(bad, `${TORN_HEADER}\n`);
  set.warning(bad, "not-json", "discovery 2: the headers of a flat root are validated alike");
  set.unlisted(
    `${FLAT}/subagent-artifacts/${first}`,
    "flat-copy",
    "discovery 1 and 2: subagent-artifacts/ in a flat root holds neither sessions, children nor orphans",
  );
  set.query({
    rule: "discovery 2: a flat root is one project; oldest first",
    root: FLAT,
    params: {},
    expect: [`${FLAT}/renamed.jsonl`, parent],
  });
  set.file(
    `${NOT_FLAT}/renamed.jsonl`,
    plainTranscript(headerOf("odd", "2026-05-05T08:00:00.000Z", "/srv/x")).bytes(),
  );
  set.ignore(
    `${NOT_FLAT}/renamed.jsonl`,
    "discovery 2: no project and no name-shaped file, so the root is not flat",
  );
  set.query({ rule: "roots: readable with nothing in it", root: NOT_FLAT, params: {}, expect: [] });
}
