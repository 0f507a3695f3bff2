/**
 * Owns the samples below a listed session: children, grandchildren, files that are no transcripts, links, and
 * the filters that keep or drop a whole tree (contract: list_sessions, discovery 3 to 7 and "Filters").
 */
import type { SampleSet } from "./sample-set.ts";
import { containerOf, STORE, shapedName } from "./sample-set.ts";
import { TORN_HEADER } from "./tree.ts";

const TREE = `${STORE}/--srv-tree--`;

export function addNesting(set: SampleSet): void {
  const cwd = "/srv/tree";
  const parent = set.session({
    path: `${TREE}/${shapedName("2026-05-01T08:00:00.000Z", "tree-parent")}`,
    id: "tree-parent",
    timestamp: "2026-05-01T08:00:00.000Z",
    cwd,
    rule: "discovery 1: a *.jsonl file directly inside a project is a top-level session",
  });
  const box = containerOf(parent);
  const child = (path: string, id: string, timestamp: string, rule: string, below = parent, note?: string) =>
    set.session({ path, id, timestamp, cwd, rule, parent: below, ...(note === undefined ? {} : { note }) });

  const run0 = child(
    `${box}/run-a/run-0/session.jsonl`,
    "sub-a0",
    "2026-05-01T08:10:00.000Z",
    "discovery 3: foreground run 0; its timestamp equals run-b's, so the path decides",
  );
  const run1 = child(
    `${box}/run-a/run-1/session.jsonl`,
    "sub-a1",
    "2026-05-01T08:05:00.000Z",
    "discovery 5: run-1 of the same launch is its own row; order: children by timestamp, so before run-0",
  );
  child(
    `${box}/run-b/run-0/session.jsonl`,
    "sub-b0",
    "2026-05-01T08:10:00.000Z",
    "order: tie broken by path",
  );
  const background = child(
    `${box}/run-a/async-7f/${shapedName("2026-05-01T08:20:00.000Z", "sub-bg")}`,
    "sub-bg",
    "2026-05-01T08:20:00.000Z",
    "discovery 3: background run, name-shaped file",
  );
  child(
    `${box}/session.jsonl`,
    "sub-direct",
    "2026-05-01T08:25:00.000Z",
    "discovery 3: at any depth, zero included",
  );
  child(
    `${box}/deep/one/two/three/session.jsonl`,
    "sub-deep",
    "2026-05-01T08:30:00.000Z",
    "discovery 4: without a deeper container it stays with the nearest session that has one",
  );
  child(
    `${box}/run-a/run-0/loose/run-0/session.jsonl`,
    "sub-loose",
    "2026-05-01T08:35:00.000Z",
    "discovery 4: a directory beside session.jsonl that is not session/ is nobody's container",
  );
  child(
    `${box}/run-a/run-0/events/run-f/run-0/session.jsonl`,
    "sub-events",
    "2026-05-01T08:40:00.000Z",
    "discovery 3 and 4: events.jsonl is no transcript, so events/ is no container",
  );
  const grandchild = child(
    `${box}/run-a/run-0/session/run-c/run-0/session.jsonl`,
    "sub-c0",
    "2027-01-15T08:00:00.000Z",
    "discovery 4: grandchild below run-0/session/; filters: a child outside the range comes with its parent",
    run0,
  );
  child(
    `${box}/run-a/run-0/session/run-c/run-0/session/run-d/run-0/session.jsonl`,
    "sub-d0",
    "2027-01-15T08:10:00.000Z",
    "discovery 4: great-grandchild",
    grandchild,
  );
  child(
    `${containerOf(background)}/run-e/run-0/session.jsonl`,
    "sub-e0",
    "2026-05-01T08:22:00.000Z",
    "discovery 4: the container of a name-shaped child",
    background,
  );
  addNestedFaults(set, parent, run1);
  addTreeQueries(set, parent, run0, grandchild);
}

/** Below `parent`: a child that cannot be listed, files that are no transcripts, links. */
function addNestedFaults(set: SampleSet, parent: string, run1: string): void {
  const box = containerOf(parent);
  const bad = `${box}/run-x/run-0/session.jsonl`;
  set.file(bad, `${TORN_HEADER}\n`);
  set.warning(bad, "not-json", "validation: a nested transcript with a bad header costs its warning");
  set.session({
    path: `${containerOf(bad)}/run-y/run-0/session.jsonl`,
    id: "sub-y0",
    timestamp: "2026-05-01T08:50:00.000Z",
    cwd: "/srv/tree",
    parent,
    rule: "discovery 4: below the container of a child with a bad header",
    note:
      "Two readings: an orphan, or a child of the nearest listed session. Rule 8 skips only containers of " +
      "top-level files, and nothing may vanish, so: child of the nearest listed session, with and without " +
      "includeOrphans.",
  });
  const none = "discovery 3: other .jsonl files in a container are no transcripts";
  const events = JSON.stringify({ event: "started", at: "2026-05-01T08:10:01.000Z" });
  for (const name of [
    "run-a/run-0/events.jsonl",
    "run-a/run-0/output.jsonl",
    "run-a/my-session.jsonl",
    "run-a/run-0/session.jsonl.bak",
    "run-a/run-0/subagent-artifacts/3f2a_worker_0.jsonl",
  ]) {
    set.file(`${box}/${name}`, `${events}\n`);
    set.ignore(`${box}/${name}`, none);
  }
  set.unlisted(`${box}/2026-05-01_x.jsonl`, "date-only", `${none}: a bare date is not the name shape`);
  set.unlisted(`${box}/2026-05-01T08-00-00-000Z.jsonl`, "no-id", `${none}: no _<id>`);
  set.unlisted(`${box}/2026-05-01T08-00-00-000Z_.jsonl`, "empty-id", `${none}: empty <id>`);
  set.unlisted(
    `${box}/copy-2026-05-01T08-00-00-000Z_x.jsonl`,
    "prefix",
    `${none}: something before the time`,
  );
  set.link(`${box}/linked-run`, "run-b", "discovery 7: a linked directory in a container is not followed");
  set.link(
    `${box}/run-l/run-0/session.jsonl`,
    "../../run-b/run-0/session.jsonl",
    "discovery 7: a linked transcript in a container is no row",
  );
  set.link(
    containerOf(run1),
    "../../../../../linked/container",
    "discovery 7: a linked container is not followed, whatever it points to",
  );
  set.path(
    `${box}/run-l/run-0/session.jsonl`,
    "opened",
    "rule 6: the realpath of this link lies inside the root",
  );
  set.path(
    `${containerOf(run1)}/run-0/session.jsonl`,
    "outside",
    "rule 6: the realpath leaves the root through a linked directory",
  );
  set.path(
    `${box}/run-a`,
    "could-not-read",
    "session_entries: a directory name is a file that cannot be read",
  );
  set.path(`${box}/absent.jsonl`, "could-not-read", "session_entries: inside the root but missing");
  set.path(STORE, "outside", "rule 6: strictly inside, so the root itself is not");
  set.path(`${STORE}-absent/x.jsonl`, "outside", "session_entries: missing and lexically outside");
  set.path(`${STORE}/../linked/container/run-0/session.jsonl`, "outside", "rule 6: .. does not reach out");
}

function addTreeQueries(set: SampleSet, parent: string, run0: string, grandchild: string): void {
  const cwds = ["/srv/tree"];
  set.query({
    rule: "filters: they select top-level rows only; the kept parent brings children of 2027",
    params: { cwds, startTimestamp: "2026-05-01T00:00:00Z", endTimestamp: "2026-05-01T12:00:00Z" },
    expect: [parent],
  });
  set.query({
    rule: "filters: a child inside the range does not lift its parent into it",
    params: { cwds, startTimestamp: "2027-01-01", endTimestamp: "2027-12-31" },
    expect: [],
  });
  set.query({
    rule: "the current session goes with its subtree",
    params: { cwds },
    currentSession: parent,
    expect: [],
    hidden: [parent],
  });
  set.query({
    rule: "a nested current session goes with its subtree; nothing is promoted and siblings stay",
    params: { cwds },
    currentSession: run0,
    expect: [parent],
    hidden: [run0, grandchild, `${containerOf(grandchild)}/run-d/run-0/session.jsonl`],
  });
  set.query({
    rule: "includeCurrentSession keeps the current session",
    params: { cwds, includeCurrentSession: true },
    currentSession: run0,
    expect: [parent],
  });
  set.query({
    rule: "the current session is compared by path alone: a path that names no file excludes nothing",
    params: { cwds },
    currentSession: `${TREE}/sub-a0.jsonl`,
    expect: [parent],
  });
}
