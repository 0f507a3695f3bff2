/**
 * Records `samples/recorded/`: plays the story with real Pi, publishes the files and checks them.
 * Needs git and a POSIX shell. Run it with the pinned Node: node_modules/.bin/node scripts/record-samples.ts
 */
import { join } from "node:path";
import { REPOSITORY } from "../test/support/pi-process.ts";
import { checkSamples } from "./record/check.ts";
import { publish } from "./record/publish.ts";
import { Stage } from "./record/stage.ts";
import { decision } from "./record/story-decision.ts";
import { abortedRun, delegation, keptWarm } from "./record/story-delegation.ts";
import { incident, releaseNotes, statusPage } from "./record/story-incident.ts";
import { flakyTest, implementation } from "./record/story-worktree.ts";
import { buildWorkspace } from "./record/workspace.ts";

const SCENES = [
  incident,
  decision,
  delegation,
  implementation,
  abortedRun,
  flakyTest,
  keptWarm,
  releaseNotes,
  statusPage,
];

const target = join(REPOSITORY, "samples", "recorded");
const workspace = buildWorkspace();
try {
  const stage = new Stage(workspace);
  for (const scene of SCENES) await scene(stage);
  publish(workspace, stage.recorded, target);
  const problems = checkSamples(target, workspace.root);
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
} finally {
  workspace.dispose();
}
