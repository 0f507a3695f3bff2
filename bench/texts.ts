/** The searchable texts of a store, found by a bare loop: what the floors of indexing and searching work on. */
import { readdirSync, readFileSync } from "node:fs";

const LF = 0x0a;
/** Behind it in a line as Pi writes it stands a tool's output, which is not searched. */
const TOOL_RESULT = '"message":{"role":"toolResult"';
const PREFIX_BYTES = 200;

/** Reads each file, splits it at LF, parses the lines that matter, gives the text of user and assistant messages. */
export function eachText(root: string, use: (text: string) => void): void {
  for (const name of readdirSync(root, { recursive: true, encoding: "utf8" })) {
    if (!name.endsWith(".jsonl")) continue;
    const bytes = readFileSync(`${root}/${name}`);
    let start = 0;
    // A last line without a line break is torn, and no text is lost with it.
    for (let end = bytes.indexOf(LF); end !== -1; end = bytes.indexOf(LF, start)) {
      const prefix = bytes.toString("latin1", start, Math.min(end, start + PREFIX_BYTES));
      if (!prefix.includes(TOOL_RESULT)) {
        const text = textOfLine(bytes.toString("utf8", start, end));
        if (text !== undefined) use(text);
      }
      start = end + 1;
    }
  }
}

interface Line {
  readonly type: string;
  readonly message?: {
    readonly role: string;
    readonly content: string | readonly { readonly type: string; readonly text?: string }[];
  };
}

function textOfLine(line: string): string | undefined {
  const { type, message } = JSON.parse(line) as Line;
  if (type !== "message" || (message?.role !== "user" && message?.role !== "assistant")) return undefined;
  const { content } = message;
  if (typeof content === "string") return content === "" ? undefined : content;
  const texts = content.flatMap((block) => (block.type === "text" && block.text ? [block.text] : []));
  return texts.length === 0 ? undefined : texts.join("\n");
}
