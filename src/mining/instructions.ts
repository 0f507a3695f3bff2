/** Which files of a repository instruct agents, by their names alone. */

/** Read by Pi or by another coding agent, wherever they lie. */
const NAMES = new Set([
  "AGENTS.md",
  "AGENTS.override.md",
  "CLAUDE.md",
  "CLAUDE.local.md",
  "GEMINI.md",
  "SKILL.md",
  "copilot-instructions.md",
  ".cursorrules",
  ".windsurfrules",
  ".clinerules",
]);
/** Prompts, skills, commands and rules in the directories where agents look for them. */
const PLACES =
  /(^|\/)(\.(pi|agents|claude)\/.+\.md|\.cursor\/rules\/.+\.mdc?|\.github\/(instructions|prompts|agents)\/.+\.md)$/s;

export function isAgentInstruction(path: string): boolean {
  const normal = path.replace(/\.md$/i, ".md"); // Pi also reads AGENTS.MD
  return NAMES.has(normal.slice(normal.lastIndexOf("/") + 1)) || PLACES.test(normal);
}
