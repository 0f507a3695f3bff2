/**
 * A Pi extension: registers the provider `scripted`, whose model answers from a JSON file, without a network.
 *
 * The file is named by PI_SCRIPTED_MODEL and holds a `ModelScript`. It is read again at every request, so a
 * test may append answers while Pi runs; how many were used is kept per file for the life of the process
 * (Pi loads extensions anew when it switches sessions). Uses only what Pi 0.99.1 to 1.6.0 have in common.
 */
import { readFileSync } from "node:fs";
import type { FauxContentBlock, ToolCall, TranscriptContext } from "@earendil-works/pi-ai";
import {
  createFauxCore,
  fauxAssistantMessage,
  fauxText,
  fauxThinking,
  fauxToolCall,
} from "@earendil-works/pi-ai";
import type { ExtensionAPI, ProviderModelConfig } from "@earendil-works/pi-coding-agent";

export const SCRIPT_VARIABLE = "PI_SCRIPTED_MODEL";
export const SCRIPTED_MODEL = "scripted/scripted-1";

export interface ScriptedCall {
  readonly name: string;
  readonly arguments: Readonly<ToolCall["arguments"]>;
  /** Default: a random id. */
  readonly id?: string;
}

/** One model answer. Blocks come in the order thinking, text, calls. */
export interface ScriptedAnswer {
  /** Skipped (but kept for later) unless the last message of the request contains this text. */
  readonly when?: string;
  readonly thinking?: string;
  readonly text?: string;
  /**
   * A regular expression for the last message of the request; its first group takes the place of `$1` in `text`, so
   * that an answer can say what a tool has just returned.
   */
  readonly quote?: string;
  readonly calls?: readonly ScriptedCall[];
  /** Ends the answer as a failed request with this message. */
  readonly error?: string;
  /** Ends the answer as if the provider had aborted it. */
  readonly aborted?: boolean;
  /** Wait before the first token, in milliseconds. Default 0. */
  readonly delayMs?: number;
  /** Streaming speed. Default: as fast as possible. */
  readonly tokensPerSecond?: number;
}

export interface ModelScript {
  readonly answers: readonly ScriptedAnswer[];
  /** Given when no unused answer fits. Default: the text "Done." */
  readonly fallback?: ScriptedAnswer;
  /** Lifetime of the provider's prompt cache in seconds; Pi refreshes it 10 s earlier. Default: no cache. */
  readonly promptCacheSeconds?: number;
}

const API = "scripted";
const MODEL_ID = "scripted-1";

declare global {
  /** Positions of the used answers by script file; global, because Pi loads the extension more than once. */
  var piScriptedModelUsed: Map<string, Set<number>> | undefined;
}

export default function scriptedModel(pi: ExtensionAPI): void {
  const scriptPath = process.env[SCRIPT_VARIABLE];
  if (scriptPath === undefined) throw new Error(`${SCRIPT_VARIABLE} names no script file`);
  const promptCacheSeconds = readScript(scriptPath).promptCacheSeconds;
  const cores = new Map<number, ReturnType<typeof createFauxCore>>();

  const coreFor = (tokensPerSecond: number) => {
    const known = cores.get(tokensPerSecond);
    if (known !== undefined) return known;
    const core = createFauxCore({ api: API, provider: API, models: [{ id: MODEL_ID }], tokensPerSecond });
    cores.set(tokensPerSecond, core);
    return core;
  };

  const model: ProviderModelConfig = {
    id: MODEL_ID,
    name: "Scripted model",
    reasoning: true,
    input: ["text", "image"],
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    contextWindow: 200_000,
    maxTokens: 16_384,
    ...(promptCacheSeconds === undefined ? {} : { promptCache: { short: promptCacheSeconds } }),
  };
  pi.registerProvider(API, {
    baseUrl: "http://localhost:0",
    apiKey: "scripted",
    api: API,
    models: [model],
    streamSimple: (requested, context, options) => {
      const answer = takeAnswer(scriptPath, lastMessageText(context));
      const core = coreFor(answer.tokensPerSecond ?? 0);
      core.setResponses([
        async () => {
          if (answer.delayMs !== undefined) await sleep(answer.delayMs, options?.signal);
          return toMessage(withQuote(answer, lastMessageText(context)));
        },
      ]);
      return core.streamSimple(requested, context, options);
    },
  });
}

function readScript(path: string): ModelScript {
  return JSON.parse(readFileSync(path, "utf8"));
}

function takeAnswer(scriptPath: string, asked: string): ScriptedAnswer {
  const { answers, fallback = { text: "Done." } } = readScript(scriptPath);
  const used = usedAnswers(scriptPath);
  const index = answers.findIndex(
    ({ when }, i) => !used.has(i) && (when === undefined || asked.includes(when)),
  );
  const answer = answers[index];
  if (answer === undefined) return fallback;
  used.add(index);
  return answer;
}

function usedAnswers(scriptPath: string): Set<number> {
  globalThis.piScriptedModelUsed ??= new Map();
  const used = globalThis.piScriptedModelUsed.get(scriptPath) ?? new Set<number>();
  globalThis.piScriptedModelUsed.set(scriptPath, used);
  return used;
}

function withQuote(answer: ScriptedAnswer, asked: string): ScriptedAnswer {
  if (answer.quote === undefined) return answer;
  const quoted = new RegExp(answer.quote, "s").exec(asked)?.[1] ?? `nothing that matches ${answer.quote}`;
  return { ...answer, text: (answer.text ?? "$1").replace("$1", () => quoted) };
}

function toMessage(answer: ScriptedAnswer) {
  const content: FauxContentBlock[] = [];
  if (answer.thinking !== undefined) content.push(fauxThinking(answer.thinking));
  if (answer.text !== undefined) content.push(fauxText(answer.text));
  for (const call of answer.calls ?? []) {
    content.push(
      fauxToolCall(call.name, { ...call.arguments }, call.id === undefined ? {} : { id: call.id }),
    );
  }
  if (answer.error !== undefined) {
    return fauxAssistantMessage(content, { stopReason: "error", errorMessage: answer.error });
  }
  if (answer.aborted === true) {
    return fauxAssistantMessage(content, { stopReason: "aborted", errorMessage: "Request was aborted" });
  }
  return fauxAssistantMessage(content, { stopReason: answer.calls?.length ? "toolUse" : "stop" });
}

function lastMessageText(context: Pick<TranscriptContext, "messages">): string {
  const last = context.messages.at(-1);
  if (last === undefined) return "";
  if (typeof last.content === "string") return last.content;
  return last.content.map((block) => (block.type === "text" ? block.text : "")).join("\n");
}

function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
