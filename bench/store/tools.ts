/** The system message that opens a session: prompt sections and tool declarations, some 8 KB. */
import { Random } from "../random.ts";
import type { Prose } from "./prose.ts";

const TOOL_NAMES = ["read", "bash", "edit", "write", "subagent", "session_search"];

/** A function of the working directory, the same for every session of a store. */
export function createSystemMessage(
  seed: string | number,
  prose: Prose,
): (cwd: string, timestamp: number) => object {
  const random = new Random(seed, "system");
  const preamble = prose.text(random, 1800);
  const guidelines = prose.text(random, 1500);
  const toolsAdded = TOOL_NAMES.map((name) => ({
    name,
    description: prose.text(random, 320),
    parameters: {
      type: "object",
      required: ["path"],
      properties: {
        path: { type: "string", description: prose.text(random, 60) },
        offset: { type: "number", description: prose.text(random, 60) },
      },
    },
  }));
  return (cwd, timestamp) => ({
    role: "system",
    content: "",
    sections: { preamble, guidelines, cwd: `<cwd>\n${cwd}\n</cwd>` },
    timestamp,
    toolsAdded,
  });
}
