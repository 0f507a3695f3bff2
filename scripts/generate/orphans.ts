/**
 * Owns the samples of orphans, artifact dumps and links at project level (contract: list_sessions, discovery
 * 1, 7 and 8).
 */
import type { SampleSet } from "./sample-set.ts";
import { containerOf, STORE, shapedName } from "./sample-set.ts";
import { headerOf, plainTranscript } from "./transcript.ts";

const ORPHANS = `${STORE}/--srv-orphans--`;
const CWD = "/srv/orphans";

export function addOrphans(set: SampleSet): void {
  addLostParents(set);
  addBadParents(set);
  addArtifacts(set);
  addLinks(set);
}

function time(minute: number): string {
  return `2026-05-02T08:${String(minute).padStart(2, "0")}:00.000Z`;
}

function orphan(
  set: SampleSet,
  path: string,
  id: string,
  minute: number,
  rule: string,
  note?: string,
): string {
  const more = note === undefined ? {} : { note };
  return set.session({
    path,
    id,
    timestamp: time(minute),
    cwd: CWD,
    orphan: true,
    onlyWithOrphans: true,
    rule,
    ...more,
  });
}

function nested(
  set: SampleSet,
  path: string,
  id: string,
  minute: number,
  parent: string,
  rule: string,
): string {
  return set.session({ path, id, timestamp: time(minute), cwd: CWD, parent, onlyWithOrphans: true, rule });
}

function addLostParents(set: SampleSet): void {
  const gone = `${ORPHANS}/${containerOf(shapedName("2026-05-02T08:00:00.000Z", "gone"))}`;
  const first = orphan(
    set,
    `${gone}/run-a/run-0/session.jsonl`,
    "orphan-a0",
    2,
    "discovery 8: no <stem>.jsonl",
  );
  nested(
    set,
    `${containerOf(first)}/run-b/run-0/session.jsonl`,
    "orphan-grandchild",
    3,
    first,
    "discovery 8: only the outermost orphan is a top-level row, the rest is nested as usual",
  );
  orphan(
    set,
    `${gone}/run-a/run-1/session.jsonl`,
    "orphan-a1",
    4,
    "discovery 8: siblings of one lost parent",
  );
  orphan(
    set,
    `${gone}/async-1/${shapedName(time(5), "orphan-bg")}`,
    "orphan-bg",
    5,
    "discovery 3 and 8: a background run of a lost parent",
  );
  set.file(`${gone}/run-a/run-0/events.jsonl`, '{"event":"started"}\n');
  set.ignore(`${gone}/run-a/run-0/events.jsonl`, "discovery 3: no transcript name, so no orphan");

  const bad = `${gone}/run-c/run-0/session.jsonl`;
  set.file(bad, "[]\n");
  set.warning(
    bad,
    "not-object",
    "discovery 8: a bad header among orphans is met only when orphans are visited",
    {
      onlyWithOrphans: true,
    },
  );
  orphan(
    set,
    `${containerOf(bad)}/run-d/run-0/session.jsonl`,
    "orphan-below-bad",
    6,
    "discovery 8: the outermost orphan that can be listed stands on top",
  );
  const directory = `${ORPHANS}/directory.jsonl`;
  orphan(
    set,
    `${directory}/run-0/session.jsonl`,
    "orphan-dir-jsonl",
    7,
    "discovery 1 and 8: a directory named *.jsonl is no session file and has no matching <stem>.jsonl",
  );
  orphan(
    set,
    `${ORPHANS}/directory/run-0/session.jsonl`,
    "orphan-beside-dir",
    8,
    "discovery 8: directory.jsonl is a directory, so it is no session that could own directory/",
  );
  set.session({
    path: `${ORPHANS}/a.jsonl`,
    id: "short-stem",
    timestamp: time(9),
    cwd: CWD,
    rule: "discovery 3: the stem matches whole; a.jsonl does not own a-b/",
  });
  orphan(set, `${ORPHANS}/a-b/run-0/session.jsonl`, "orphan-a-b", 10, "discovery 8: a-b/ has no a-b.jsonl");
}

function addBadParents(set: SampleSet): void {
  const bad = `${ORPHANS}/${shapedName(time(20), "bad-parent")}`;
  set.file(bad, `${JSON.stringify(headerOf("", time(20), CWD))}\n`);
  set.warning(bad, "id", "discovery 8: a top-level file with a bad header costs its warning");
  const child = orphan(
    set,
    `${containerOf(bad)}/run-a/run-0/session.jsonl`,
    "orphan-of-bad",
    21,
    "discovery 8: below the container of a top-level file with a bad header",
  );
  nested(
    set,
    `${containerOf(child)}/run-b/run-0/session.jsonl`,
    "orphan-of-bad-child",
    22,
    child,
    "discovery 8: nested",
  );
  const unseen = `${containerOf(bad)}/run-z/run-0/session.jsonl`;
  set.file(unseen, "");
  set.warning(unseen, "empty", "discovery 8: that container is not visited without includeOrphans", {
    onlyWithOrphans: true,
  });
}

function addArtifacts(set: SampleSet): void {
  const dump = `${ORPHANS}/subagent-artifacts`;
  const rule = "discovery 1: copies in subagent-artifacts/ are neither sessions nor children";
  const note =
    "By the letter of rule 8 this directory has no matching .jsonl; it is exempt by its name: no orphans.";
  set.unlisted(`${dump}/${shapedName(time(30), "copy")}`, "copy", rule, note);
  set.unlisted(`${dump}/run-a/run-0/session.jsonl`, "copy-run", rule, note);
  set.unlisted(`${dump}/3f2a_worker_0.jsonl`, "copy-worker", rule);
}

/** Links point to samples/generated/linked/, outside of both roots, or at a neighbour. */
function addLinks(set: SampleSet): void {
  const plain = (path: string, id: string) =>
    set.file(path, plainTranscript(headerOf(id, "2026-05-06T08:00:00.000Z", "/srv/linked")).bytes());
  plain("linked/project/2026-05-06T08-00-00-000Z_linked.jsonl", "linked");
  plain("linked/container/run-0/session.jsonl", "linked-child");
  const rule = "discovery 7: symlinks inside a root are not followed";
  set.link(`${STORE}/--srv-linked--`, "../linked/project", `${rule}: a project`);
  set.link(`${STORE}/--srv-alias--`, "--srv-tree--", `${rule}: a project, though its target is listed`);
  const file = `${ORPHANS}/linked.jsonl`;
  set.link(file, "../../linked/project/2026-05-06T08-00-00-000Z_linked.jsonl", `${rule}: a session file`);
  orphan(
    set,
    `${containerOf(file)}/run-0/session.jsonl`,
    "orphan-of-link",
    40,
    "discovery 7 and 8: the launching session is a link and cannot be listed",
    "Two readings: the name linked.jsonl does exist. includeOrphans promises transcripts whose launching " +
      "session cannot be listed.",
  );
  set.link(`${ORPHANS}/linked-dir`, "../../linked/container", `${rule}: a directory that would hold orphans`);
  const owner = `${ORPHANS}/${shapedName(time(41), "owner")}`;
  set.session({
    path: owner,
    id: "owner",
    timestamp: time(41),
    cwd: CWD,
    rule: `${rule}; the owner itself is listed`,
  });
  set.link(containerOf(owner), "../../linked/container", `${rule}: a container`);
  set.link(`${ORPHANS}/dangling.jsonl`, "nowhere.jsonl", `${rule}: a link to nothing costs no warning`);
  set.path(file, "outside", "rule 6: the realpath of a linked session file lies outside");
  set.path(
    `${STORE}/--srv-linked--/2026-05-06T08-00-00-000Z_linked.jsonl`,
    "outside",
    "rule 6: a linked project",
  );
  set.path(
    `${STORE}/--srv-alias--/${shapedName("2026-05-01T08:00:00.000Z", "tree-parent")}`,
    "opened",
    "rule 6: a linked project whose target lies inside the root",
  );
  set.path(
    `${ORPHANS}/dangling.jsonl`,
    "could-not-read",
    "rule 6: lexically inside, and the link leads nowhere",
  );
  set.query({
    rule: "discovery 8: without includeOrphans the launching sessions that can be listed, and nothing else",
    params: { cwds: [CWD] },
    expect: [`${ORPHANS}/a.jsonl`, owner],
  });
}
