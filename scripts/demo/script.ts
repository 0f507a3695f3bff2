/** What the demo's agent does: the question, and the codemode script with which it looks for the answer. */
import type { ModelScript } from "../../test/support/pi-run.ts";

export const QUESTION = "What did we decide about the retry queue's backoff, and where?";

/** Runs in codemode's sandbox. Rows are projected in the script, so only the answer reaches the model. */
export const CODEMODE_SCRIPT = `const { results } = await tools.session_search({
  query: "retry queue backoff decision",
  cwds: ["/home/ada/projects/harbor"],
  cwdMatch: "sibling-prefix",
});
const found = [];
for (const { path } of results) {
  const { entries } = await tools.session_entries({
    sessionPath: path,
    messageRoles: ["user", "assistant"],
    search: { terms: ["backoff", "Cap at"] },
    branch: "active",
    raw: "none",
  });
  for (const { lineNo, id, messageRole, text } of entries) found.push({ path, lineNo, id, messageRole, text });
}
const decision = found.find((row) => row.messageRole === "assistant" && row.text.startsWith("Decision"));
const rows = found.filter((row) => row.path === decision.path);
const cite = (row) => "  " + row.messageRole + ": " + row.text.split("\\n")[0] + "\\n    " + row.path + ":" + row.lineNo + " (" + row.id + ")";
return "ANSWER " + decision.text + "\\n\\nSources:\\n" + rows.map(cite).join("\\n") + " END";`;

export const SCRIPT: ModelScript = {
  answers: [
    {
      text: "I search the sessions of this project and its worktrees, then read the exact lines.",
      calls: [{ name: "codemode", arguments: { code: CODEMODE_SCRIPT } }],
    },
    { quote: "ANSWER (.*) END", text: "$1" },
  ],
};
