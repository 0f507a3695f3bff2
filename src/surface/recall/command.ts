/**
 * The command `/recall`: the palette in Pi's terminal interface, a short plain list elsewhere. What was chosen is done
 * here with Pi's own means: the session switch, or text put into the editor. Searching is given from outside.
 */
import { writeSync } from "node:fs";
import type { ExtensionCommandContext } from "@earendil-works/pi-coding-agent";
import { messageOf } from "../../session/json.ts";
import { visible } from "../visible.ts";
import { type Choice, RecallOverlay, type RecallSearch } from "./overlay.ts";
import { plainLines, referenceOf } from "./plain.ts";
import { queryOf } from "./state.ts";
import { worktreesOf } from "./worktrees.ts";

export interface RecallDependencies extends RecallSearch {
  /** Which projects are not searched, as a sentence; undefined when all are. */
  readonly leftOut?: (() => string | undefined) | undefined;
  /** Default: the clock. */
  readonly now?: (() => number) | undefined;
}

export type RecallContext = Pick<
  ExtensionCommandContext,
  "mode" | "hasUI" | "cwd" | "ui" | "switchSession" | "isIdle"
>;

const PLAIN_ROWS = 5;
const STDOUT = 1;
const STDERR = 2;

export function createRecallCommand(dependencies: RecallDependencies) {
  return async (args: string, ctx: RecallContext): Promise<void> => {
    const query = args.trim();
    if (ctx.mode !== "tui") return printList(dependencies, query, ctx);
    let redraw = (): void => undefined;
    const choice = await openPalette(dependencies, query, ctx, (request) => {
      redraw = request;
    });
    if (choice?.kind === "resume") await resume(choice.row.path, ctx);
    if (choice?.kind === "reference") {
      ctx.ui.pasteToEditor(`${visible(referenceOf(choice.row))} `);
      redraw(); // Pi draws the editor again with the next key only
    }
  };
}

function openPalette(
  dependencies: RecallDependencies,
  query: string,
  { ui, cwd }: RecallContext,
  onOpen: (requestRender: () => void) => void,
): Promise<Choice | undefined> {
  const place = { cwd, worktrees: worktreesOf(cwd), leftOut: dependencies.leftOut?.() };
  const now = dependencies.now ?? Date.now;
  return ui.custom<Choice | undefined>(
    (tui, theme, keybindings, done) => {
      onOpen(() => tui.requestRender());
      return new RecallOverlay({ tui, theme, keybindings, done }, dependencies, place, query, now);
    },
    { overlay: true, overlayOptions: { anchor: "center", width: "94%", minWidth: 60, maxHeight: "100%" } },
  );
}

async function resume(path: string, ctx: RecallContext): Promise<void> {
  const isBusy = !ctx.isIdle();
  if (
    isBusy &&
    !(await ctx.ui.confirm("Resume another session?", "The agent is working here; it will be stopped."))
  )
    return;
  try {
    await ctx.switchSession(path);
  } catch (error) {
    ctx.ui.notify(`This session cannot be resumed: ${visible(messageOf(error))}`, "error");
  }
}

async function printList(
  { search }: RecallDependencies,
  query: string,
  { mode, hasUI, ui }: RecallContext,
): Promise<void> {
  const known = queryOf(query);
  const params = { ...(known === "" ? {} : { query: known }), limit: PLAIN_ROWS };
  const text = plainLines(await search(params, new AbortController().signal)).join("\n");
  if (hasUI) return ui.notify(text, "info");
  // Pi sends what extensions write to stdout elsewhere. In print mode this list is the output; in JSON mode it is none.
  writeSync(mode === "print" ? STDOUT : STDERR, `${text}\n`);
}
