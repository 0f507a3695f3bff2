import { readFileSync } from "node:fs";
import path from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { readSkills, scriptsOf } from "../../scripts/check-skills.ts";
import { readSessionEntries } from "../../src/index.ts";
import { makeDirectory, Repository } from "../mining/repositories.ts";
import { runCodemode } from "../support/codemode.ts";
import { isObject, type ModelScript, makeAgentDir, runPi } from "../support/pi-run.ts";
import { copyRecorded, idOf, plant } from "./plant.ts";

const repository = path.resolve(import.meta.dirname, "..", "..");
const extensions = [path.join(repository, "dist", "extension.js")];
const skills = readSkills();
const args = skills.flatMap(({ directory }) => ["--skill", directory]);
const prepareEverything = { operation: "prepare-pattern-miner", scope: "all" } as const;

let agentDir: string;
let sessions: string;
let cwd: string;

beforeEach(() => {
  const agent = makeAgentDir({ defaultTools: ["+codemode"] }, makeDirectory("agent-"));
  agentDir = agent.path;
  sessions = agent.sessions;
  cwd = makeDirectory("skills-cwd-");
  copyRecorded(sessions);
});

const minerScript = () => {
  const miner = skills.find(({ name }) => name === "pi-session-pattern-miner");
  const [code = ""] = miner === undefined ? [] : scriptsOf(miner);
  return code;
};

const PATTERN = "regenerate the fixtures";
const CANDIDATES = `const candidates = [{ name: "fixtures", terms: ["${PATTERN}"] }];`;

/** The model as the skill tells it to go on: prepare, check the candidate, then propose what qualifies or say so. */
const MODEL: ModelScript = {
  answers: [
    { text: "I prepare the corpus.", calls: [{ name: "session_search", arguments: prepareEverything }] },
    {
      text: "One job may recur. I check it against the whole sessions.",
      calls: [
        {
          name: "codemode",
          arguments: { code: minerScript().replace(/^const candidates = .*$/m, CANDIDATES) },
        },
      ],
    },
    {
      when: '"qualifies": true',
      quote: '"evidence": (\\[.*?\\n\\s*\\])',
      text: "Fixtures: new script.\nEVIDENCE $1",
    },
    { when: '"qualifies":true', quote: '"evidence":(\\[.*?\\])', text: "Fixtures: new script.\nEVIDENCE $1" },
    { text: "Nothing found: no pattern stands in two distinct sessions." },
  ],
};

/** What the model said last, and the first message of the run. */
async function mine(): Promise<{ readonly asked: string; readonly concluded: string }> {
  const before = new Set(
    (await runPi({ agentDir, cwd, script: { answers: [] }, prompts: ["hi"] })).sessionFiles,
  );
  const run = await runPi({
    agentDir,
    cwd,
    extensions,
    args,
    script: MODEL,
    prompts: ["/skill:pi-session-pattern-miner look at everything"],
  });
  expect(run.stderr).toBe("");
  const [file] = run.sessionFiles.filter((path) => !before.has(path));
  if (file === undefined) throw new Error("the run left no session");
  const store = { sessionsRoot: sessions };
  const { entries } = await readSessionEntries({ sessionPath: file, types: ["message"] }, store);
  const said = entries.filter(({ messageRole }) => messageRole === "user" || messageRole === "assistant");
  return { asked: said[0]?.text ?? "", concluded: said.at(-1)?.text ?? "" };
}

describe("the skills in a real Pi run", () => {
  it("are loaded, and /skill:pi-session-pattern-miner expands to its instructions", async () => {
    const run = await runPi({
      agentDir,
      cwd,
      extensions,
      args: [...args, "--mode", "json"],
      script: { answers: [{ text: "Ready." }] },
      prompts: ["/skill:pi-session-pattern-miner the last month"],
    });
    expect(run.stderr).toBe("");
    const [, body = ""] = /^---\n.*?\n---\n(.*)$/s.exec(skills[1]?.text ?? "") ?? [];
    const users = run.stdout
      .split("\n")
      .filter(Boolean)
      .map((line): unknown => JSON.parse(line))
      .filter(
        (event) =>
          isObject(event) && event["type"] === "message_end" && JSON.stringify(event).includes('"user"'),
      );
    const shown = JSON.stringify(users[0]);
    expect(shown).toContain(JSON.stringify(body.trim()).slice(1, -1));
    expect(shown).toContain("the last month");
  });

  it("runs every script of the skills as it stands", async () => {
    for (const code of skills.flatMap(scriptsOf)) {
      const { value } = await runCodemode({ agentDir, cwd, extensions, args }, code);
      expect(Object.keys(value).length).toBeGreaterThan(1);
    }
  });

  it("propose with citations what stands in two lineage-distinct sessions", async () => {
    const texts = (n: number) => [`Case ${n}: please ${PATTERN} by hand again.`, "Done."];
    const planted = [
      plant(sessions, { day: 1, texts: texts(1) }),
      plant(sessions, { day: 2, texts: texts(2) }),
    ];
    plant(sessions, { day: 3, texts: texts(2), parentSession: planted[1] ?? "" });
    const { asked, concluded } = await mine();
    expect(asked).toContain('<skill name="pi-session-pattern-miner"');
    expect(concluded).toMatch(/^Fixtures: new script\./);
    const evidence: unknown = JSON.parse(
      concluded.slice(concluded.indexOf("EVIDENCE ") + "EVIDENCE ".length),
    );
    if (!Array.isArray(evidence)) throw new Error("no list of evidence");
    expect(evidence).toHaveLength(2);
    for (const cited of evidence) {
      // Each citation leads to its quote.
      const line = readFileSync(cited.path, "utf8").split("\n")[cited.lineNo - 1] ?? "";
      expect(JSON.parse(line)).toMatchObject({ id: cited.id, message: { content: [{ text: cited.quote }] } });
    }
    expect(evidence.map(({ id }) => id)).toEqual([idOf(texts(2)[0] ?? ""), idOf(texts(1)[0] ?? "")]);
  });

  it("find nothing where only a fork repeats", async () => {
    const texts = [`Please ${PATTERN} by hand again.`, "Done."];
    const origin = plant(sessions, { day: 1, texts });
    plant(sessions, { day: 2, texts, parentSession: origin });
    plant(sessions, { day: 3, texts, parentSession: origin });
    const { concluded } = await mine();
    expect(concluded).toBe("Nothing found: no pattern stands in two distinct sessions.");
  });

  it("see the repository's own scripts and loaded skills in the inventory", async () => {
    const project = new Repository(path.join(cwd, "project"));
    project.stage("package.json", { scripts: { fixtures: "node fixtures.js" } });
    project.write(".pi/skills/deploy/SKILL.md", "---\nname: deploy\ndescription: Deploys.\n---\nDeploy.\n");
    const { value } = await runCodemode(
      { agentDir, cwd: project.root, extensions, args: [...args, "--approve"] },
      'return await tools.session_search({ operation: "prepare-pattern-miner", scope: "repository" });',
    );
    expect(value).toMatchObject({
      mode: "prepare-pattern-miner",
      projectRoot: project.root,
      sessions: [],
      inventory: {
        available: true,
        packageScripts: [{ path: "package.json", name: "fixtures", command: "node fixtures.js" }],
        skills: [{ name: "skill:deploy", description: "Deploys.", path: ".pi/skills/deploy/SKILL.md" }],
      },
    });
  });
});
