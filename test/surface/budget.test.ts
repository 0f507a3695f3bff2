import { renderToolSample } from "@earendil-works/pi-codemode";
import { describe, expect, it } from "vitest";
import { LIST_SESSIONS, SESSION_ENTRIES } from "../../src/surface/declarations.ts";

/** As Pi estimates: characters / 4, of the section that its codemode tool lists. */
function listedTokens(tool: typeof LIST_SESSIONS | typeof SESSION_ENTRIES): number {
  const { name, description } = tool;
  const inputSchema = JSON.parse(JSON.stringify(tool.parameters));
  const outputSchema = JSON.parse(JSON.stringify(tool.outputSchema));
  const section = `### \`${name}\`\n${renderToolSample({ name, description, inputSchema, outputSchema }).trim()}`;
  return Math.ceil(section.length / 4);
}

describe("prompt budget", () => {
  it("list_sessions and session_entries take at most 1,400 tokens of codemode's list together", () => {
    expect(listedTokens(LIST_SESSIONS) + listedTokens(SESSION_ENTRIES)).toBeLessThanOrEqual(1400);
  });
});
