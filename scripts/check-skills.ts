/**
 * Checks the skills as an agent will read them: front matter, size, links, and that every tool call in their text is one
 * that the tool accepts. Prints what is wrong and ends with status 1. Scripts in them are run by `test/skills`.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { Value } from "typebox/value";
import { requireSearchQuery } from "../src/search/plan.ts";
import { isJsonObject, messageOf, parseJson } from "../src/session/json.ts";
import { ListSessionsParamsSchema, SessionEntriesParamsSchema } from "../src/surface/schemas.ts";
import { SessionSearchParamsSchema } from "../src/surface/searchSchemas.ts";

export const SKILLS = path.resolve(import.meta.dirname, "..", "skills");
export const MAX_SKILL_LINES = 199;

export const PARAMS_SCHEMAS = {
  list_sessions: ListSessionsParamsSchema,
  session_entries: SessionEntriesParamsSchema,
  session_search: SessionSearchParamsSchema,
} as const;
export type ToolName = keyof typeof PARAMS_SCHEMAS;

export interface Skill {
  readonly directory: string;
  /** The name of its directory. */
  readonly name: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly text: string;
}

export function readSkills(root = SKILLS): readonly Skill[] {
  return readdirSync(root)
    .toSorted()
    .map((name) => {
      const directory = path.join(root, name);
      return parseSkill(directory, readFileSync(path.join(directory, "SKILL.md"), "utf8"));
    });
}

export function parseSkill(directory: string, text: string): Skill {
  const [, front = ""] = /^---\n(.*?)\n---\n/s.exec(text) ?? [];
  const fields = front.split("\n").map((line): [string, string] => {
    const colon = line.indexOf(": ");
    return colon === -1 ? [line, ""] : [line.slice(0, colon), line.slice(colon + 2)];
  });
  return { directory, name: path.basename(directory), fields: Object.fromEntries(fields), text };
}

/** The codemode scripts of a skill, in order. */
export function scriptsOf({ text }: Skill): readonly string[] {
  return [...text.matchAll(/^```js\n(.*?)^```$/gms)].map(([, code = ""]) => code);
}

export function problemsOf(skill: Skill): readonly string[] {
  return [
    ...frontMatterProblems(skill),
    ...sizeProblems(skill),
    ...linkProblems(skill),
    ...callProblems(skill),
  ];
}

function frontMatterProblems({ name, fields }: Skill): readonly string[] {
  const problems: string[] = [];
  const known = ["name", "description", "license", "compatibility", "metadata", "allowed-tools"];
  for (const field of Object.keys(fields))
    if (!known.includes(field)) problems.push(`unknown field ${field}`);
  if (fields["name"] !== name) problems.push(`name must be that of the directory, ${name}`);
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name) || name.length > 64) problems.push(`bad name ${name}`);
  const description = fields["description"] ?? "";
  if (description === "" || description.length > 1024)
    problems.push("description must have 1 to 1024 characters");
  // A plain YAML scalar: what would end it or change its meaning needs quotes, which this reader does not know.
  if (/: | #|^[-?:,[\]{}#&*!|>'"%@`]/.test(description)) problems.push("description must be plain YAML");
  return problems;
}

function sizeProblems({ text }: Skill): readonly string[] {
  const lines = text.split("\n").length - 1;
  return lines > MAX_SKILL_LINES ? [`${lines} lines, at most ${MAX_SKILL_LINES} are allowed`] : [];
}

function linkProblems({ directory, text }: Skill): readonly string[] {
  const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target);
  return targets
    .filter((target) => !/^https:/.test(target))
    .filter((target) => !existsSync(path.join(directory, target.replace(/#.*/, ""))))
    .map((target) => `link to nothing: ${target}`);
}

/** Calls as the text writes them: a tool's name and its arguments as JSON in one piece of inline code. */
export function callsOf({ text }: Skill): readonly { readonly tool: ToolName; readonly args: string }[] {
  const prose = text.replace(/^```.*?^```$/gms, "");
  return [...prose.matchAll(/`(\w+) (\{.*?\})`/g)].flatMap(([, tool, args = ""]) =>
    isToolName(tool) ? [{ tool, args }] : [],
  );
}

function callProblems(skill: Skill): readonly string[] {
  return callsOf(skill).flatMap(({ tool, args }) => {
    const parsed = parseJson(args);
    const problem = parsed.ok ? argumentProblem(tool, parsed.value) : parsed.reason;
    return problem === undefined ? [] : [`${tool} ${args}: ${problem}`];
  });
}

/** Why the tool would refuse these arguments. */
export function argumentProblem(tool: ToolName, args: unknown): string | undefined {
  const [error] = Value.Errors(PARAMS_SCHEMAS[tool], args);
  if (error !== undefined) return `${error.instancePath} ${error.message}`;
  if (tool !== "session_search" || !isJsonObject(args)) return undefined;
  try {
    requireSearchQuery(args);
    return undefined;
  } catch (refused) {
    return messageOf(refused);
  }
}

export function isToolName(name: string | undefined): name is ToolName {
  return name !== undefined && Object.hasOwn(PARAMS_SCHEMAS, name);
}

if (process.argv[1] === import.meta.filename) {
  const problems = readSkills().flatMap((skill) =>
    problemsOf(skill).map((problem) => `${skill.name}: ${problem}`),
  );
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
