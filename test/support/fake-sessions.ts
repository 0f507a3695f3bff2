/** Sessions that no file holds, for measuring and for trying the palette: the same ones at every call. */
import type {
  BrowsedSession,
  BrowseOutput,
  DiscoveryOutput,
  ScrollOutput,
  SearchHit,
  SessionSearchParams,
  TranscriptMessage,
} from "../../src/model.ts";

const WORDS = [
  "retry",
  "queue",
  "migration",
  "index",
  "webhook",
  "flaky",
  "release",
  "配置",
  "naïve",
  "timeout",
];
const NEWEST_MS = Date.parse("2026-11-30T20:00:00.000Z");

interface FakeSession extends BrowsedSession {
  readonly name: string;
  readonly cwd: string;
}

function sessionOf(n: number): FakeSession {
  const at = new Date(NEWEST_MS - n * 600_000).toISOString();
  const words = [0, 1, 2].map((i) => WORDS[(n * 7 + i * 3 + n ** i) % WORDS.length]);
  return {
    path: `/srv/sessions/--srv-project-${n % 200}--/${n}.jsonl`,
    name: `${words[0]} ${words[1]} ${n}`,
    cwd: `/srv/project-${n % 200}`,
    startedAt: at,
    lastActivityAt: at,
    messageCount: 2 + (n % 60),
    preview: `Please look at the ${words.join(" and the ")} of project ${n % 200}, it fails since yesterday`,
  };
}

const known = new Map<number, readonly FakeSession[]>();

/** Every session is looked at, as a scan would. */
export function fakeSearch(params: SessionSearchParams, count: number): DiscoveryOutput | BrowseOutput {
  const all = known.get(count) ?? Array.from({ length: count }, (_, n) => sessionOf(n));
  known.set(count, all);
  const limit = params.limit ?? 3;
  const before =
    params.endTimestamp === undefined ? Number.POSITIVE_INFINITY : Date.parse(params.endTimestamp);
  const { query } = params;
  if (query === undefined) {
    const sessions = all.filter(({ lastActivityAt }) => Date.parse(lastActivityAt ?? "") <= before);
    return { mode: "browse", sessions: sessions.slice(0, limit) };
  }
  const words = query.toLowerCase().split(/\s+/);
  const results = all
    .filter(({ preview }) => words.every((word) => preview.toLowerCase().includes(word)))
    .slice(0, limit)
    .map((session, rank) => hitOf(session, words, rank));
  return { mode: "discovery", query, results };
}

function hitOf(session: FakeSession, words: readonly string[], rank: number): SearchHit {
  const { path, name, cwd, startedAt, lastActivityAt, preview } = session;
  const pattern = new RegExp(
    `(${words.map((word) => word.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join("|")})`,
    "gi",
  );
  return {
    ...{
      path,
      name,
      cwd,
      startedAt,
      rank,
      matchMessageId: "00000002",
      lineNo: 3,
      role: "user",
      match: "all",
    },
    timestamp: lastActivityAt ?? "",
    snippet: preview.replace(pattern, "«$1»"),
  };
}

export function fakePreview(path: string, messageId: string | null): ScrollOutput {
  const n = Number(/(\d+)\.jsonl$/.exec(path)?.[1] ?? 0);
  const { preview, lastActivityAt } = sessionOf(n);
  const timestamp = lastActivityAt ?? "";
  const message = (i: number, role: "user" | "assistant", content: string): TranscriptMessage => ({
    ...{ id: `0000000${i}`, lineNo: i + 1, role, timestamp, content },
    ...(messageId === `0000000${i}` ? { anchor: true as const } : {}),
  });
  const long = Array.from({ length: 60 }, (_, i) => `Line ${i}: ${WORDS.slice(i % 7).join(" ")}`).join("\n");
  const messages = [
    message(1, "assistant", "What now?"),
    message(2, "user", preview),
    message(3, "assistant", long),
  ];
  return { mode: "scroll", path, branchTip: "00000003", messages, messagesBefore: 0, messagesAfter: 0 };
}
