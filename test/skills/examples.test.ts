import { describe, expect, it } from "vitest";
import { readSkills, scriptsOf } from "../../scripts/check-skills.ts";
import { makeDirectory } from "../mining/repositories.ts";
import { copyRecorded, idOf, plant } from "./plant.ts";
import { runScript } from "./tools.ts";

const sessionsRoot = makeDirectory("skills-");
const cwd = makeDirectory();
copyRecorded(sessionsRoot);
const STEERED = "STEERING: use pnpm, not npm";
const origin = plant(sessionsRoot, { day: 1, texts: [STEERED, "Understood."] });
plant(sessionsRoot, { day: 2, texts: [STEERED, "Understood."], parentSession: origin });
plant(sessionsRoot, { day: 3, texts: ["What does STEERING: mean?", "It marks a correction."] });

const examples = readSkills().flatMap((skill) =>
  scriptsOf(skill).map((code, i) => ({ name: `${skill.name} #${i + 1}`, code })),
);
const run = (name: string) => {
  const example = examples.find((example) => example.name === name);
  if (example === undefined) throw new Error(`no example ${name}`);
  return runScript(example.code, { sessionsRoot }, cwd);
};

describe("the scripts in the skills", () => {
  it.each(examples)("$name runs as it stands, and reaches each of its calls", async ({ name }) => {
    const { callSites, reached } = await run(name);
    expect(reached).toBe(callSites);
    expect(callSites).toBeGreaterThan(0);
  });

  it("list sessions with what they delegated", async () => {
    const { value } = await run("pi-retrospect #1");
    expect(value).toMatchObject({ more: false, warnings: [] });
    expect(JSON.stringify(value)).toMatch(/run-1\/session\/36a31bb4\/run-0\/session\.jsonl/);
  });

  it("cite the exact lines", async () => {
    const { value } = await run("pi-retrospect #2");
    expect(value).toMatchObject({ backlogRemaining: 0 });
    expect(JSON.stringify(value)).toMatch(/01a22e0b-8ad8-76a7-9f1f-94f0569bae3f\.jsonl:13","id":"272fcda1"/);
  });

  it("find marked corrections, once and not where the marker is only mentioned", async () => {
    const { value } = await run("pi-retrospect #3");
    expect(value).toMatchObject({ more: false, warnings: [] });
    expect(value).toHaveProperty("found", [
      {
        at: expect.stringContaining(".jsonl:2"),
        id: idOf(STEERED),
        cwd: "/home/ada/projects/harbor",
        said: "use pnpm, not npm",
      },
    ]);
  });

  it("find corrections from before there were markers, each once", async () => {
    const { value } = await run("pi-retrospect #4");
    const found = JSON.stringify(value);
    expect(found.match(/No, not 10 minutes/g)).toHaveLength(1);
    expect(found).toMatch(/"wasStopped":true,"said":"Stop, wrong direction/);
  });

  it("check candidates against lineage-distinct sessions", async () => {
    const { value } = await run("pi-session-pattern-miner #1");
    expect(value).toMatchObject({ sampled: 10, sync: { complete: true } });
    expect(value).toHaveProperty("report.0.qualifies", true);
  });
});
