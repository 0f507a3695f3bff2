/** `pi-retrospect demo`: three questions, answered step by step on a throwaway copy of the recorded sample sessions. */
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { readSessionEntries } from "../../entries/readSessionEntries.ts";
import { listSessions } from "../../list/listSessions.ts";
import type { SessionMetadata } from "../../model.ts";
import { messageOf } from "../../session/json.ts";
import { searchSessions } from "../searchSessions.ts";
import { visible } from "../visible.ts";
import { printEntries } from "./entries.ts";
import { printFound, printMessages } from "./search.ts";
import { styled, type Terminal } from "./terminal.ts";

/** @param samples the recorded sessions that the package brings */
export async function runDemo(samples: string, terminal: Terminal): Promise<void> {
  const scratch = mkdtempSync(path.join(tmpdir(), "pi-retrospect-demo-"));
  try {
    const sessionsRoot = path.join(scratch, "sessions");
    copySamples(samples, sessionsRoot);
    const store = { sessionsRoot, indexPath: path.join(scratch, "index.db"), syncBudgetMs: 10_000 };
    // Nothing of the throwaway directory is worth reading.
    const shown: Terminal = {
      ...terminal,
      write: (text) => terminal.write(text.replaceAll(sessionsRoot, "SESSIONS")),
    };
    const step = (title: string) => shown.write(`\n${styled(terminal, "bold", title)}\n`);
    const command = (text: string) => shown.write(`${styled(terminal, "dim", `$ pi-retrospect ${text}`)}\n`);

    step("1. What did we decide about the retry queue's backoff?");
    command("search retry queue backoff --limit 1");
    const found = await searchSessions({ query: "retry queue backoff", limit: 1 }, store);
    if (found.mode !== "discovery") throw new Error("the demo's search did not search");
    printFound(found, "", shown);
    const decision = found.results[0]?.path ?? "";
    command(`entries ${visible(decision)} --search "Decision for" --branch active`);
    const search = { terms: ["Decision for"], caseSensitive: true };
    printEntries(
      await readSessionEntries({ sessionPath: decision, search, branch: "active", raw: "none" }, store),
      shown,
    );

    step("2. Where did ECONNREFUSED come from? Any part of a word will do.");
    command("search onnrefus --limit 1");
    const error = await searchSessions({ query: "onnrefus", limit: 1 }, store);
    if (error.mode !== "discovery") throw new Error("the demo's search did not search");
    printFound(error, "", shown);
    const [hit] = error.results;
    if (hit?.matchMessageId) {
      command(`show ${visible(hit.path)} --around ${hit.matchMessageId} --window 1`);
      const params = { sessionId: hit.path, aroundMessageId: hit.matchMessageId, window: 1 };
      const around = await searchSessions(params, store);
      if (around.mode === "scroll") printMessages(around, shown);
    }

    step("3. What was delegated, and to whom?");
    command("list --paths");
    const { sessions } = await listSessions({}, store);
    const delegating = sessions.find(({ subagentSessions }) => subagentSessions.length > 0);
    if (delegating !== undefined) await printDelegation(delegating, "", store.sessionsRoot, shown);

    step("Your own sessions:");
    command("search WORDS   or   pi-retrospect list   or, inside Pi, ask in plain words");
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function copySamples(samples: string, sessionsRoot: string): void {
  try {
    cpSync(samples, sessionsRoot, { recursive: true });
  } catch (error) {
    throw new Error(`the sample sessions of this package are missing: ${messageOf(error)}`, { cause: error });
  }
}

/** Each session's path and what it was asked, its subagents below it. */
async function printDelegation(
  session: SessionMetadata,
  indent: string,
  sessionsRoot: string,
  terminal: Terminal,
): Promise<void> {
  const params = { sessionPath: session.path, messageRoles: ["user"], limit: 1, raw: "none" } as const;
  const { entries } = await readSessionEntries(params, { sessionsRoot });
  const asked = entries[0]?.text?.split("\n")[0] ?? "";
  terminal.write(
    `${indent}${visible(path.relative(sessionsRoot, session.path))}\n${indent}  asked: ${visible(asked)}\n`,
  );
  for (const child of session.subagentSessions) {
    await printDelegation(child, `${indent}    `, sessionsRoot, terminal);
  }
}
