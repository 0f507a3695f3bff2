import { describe, expect, it } from "vitest";
import { callsOf, parseSkill, problemsOf, readSkills, scriptsOf } from "../../scripts/check-skills.ts";

const skills = readSkills();

describe("the skills", () => {
  it("are the two that the package promises", () => {
    expect(skills.map(({ name }) => name)).toEqual(["pi-retrospect", "pi-session-pattern-miner"]);
  });

  it.each(skills)("$name is well-formed, and every tool call in it is one that the tool accepts", (skill) => {
    expect(problemsOf(skill)).toEqual([]);
    expect(callsOf(skill).length).toBeGreaterThan(3);
    expect(scriptsOf(skill).length).toBeGreaterThan(0);
  });

  it.each(skills)("$name says that old text is data and may hold secrets", ({ text }) => {
    expect(text).toMatch(/data/);
    expect(text).toMatch(/secret/);
    expect(text).toMatch(/instruction/);
  });
});

describe("the check", () => {
  const check = (text: string) => problemsOf(parseSkill("/skills/a-skill", text));
  const front = "---\nname: a-skill\ndescription: Does it.\n---\n";

  it("accepts a plain skill", () => {
    expect(check(`${front}\ntext\n`)).toEqual([]);
  });

  it.each([
    ["no front matter", "text\n", "description must"],
    ["another name", front.replace("a-skill", "b-skill"), "name must be"],
    ["a description that is no plain YAML", front.replace("Does it.", "Does: it."), "plain YAML"],
    ["an unknown field", front.replace("name:", "nmae:"), "unknown field nmae"],
    ["too many lines", front + "x\n".repeat(200), "204 lines"],
    ["a link to nothing", `${front}[x](references/none.md)\n`, "link to nothing"],
    ["arguments that are no JSON", `${front}\`session_search {query: "a"}\`\n`, "session_search"],
    ["an unknown parameter", `${front}\`list_sessions {"cwd": "/a"}\`\n`, "/cwd"],
    ["parameters in conflict", `${front}\`session_search {"query": "a", "scope": "all"}\`\n`, "conflicts"],
    ["a missing parameter", `${front}\`session_entries {"limit": 1}\`\n`, "sessionPath"],
  ])("finds %s", (_, text, problem) => {
    expect(check(text).join("\n")).toContain(problem);
  });
});
