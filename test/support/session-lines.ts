/** The lines that session files are made of. */

export type Json = Readonly<Record<string, unknown>>;

export function header(fields: Json = {}): string {
  const base = {
    type: "session",
    version: 3,
    id: "s",
    timestamp: "2026-05-01T08:00:00.000Z",
    cwd: "/srv/app",
  };
  return JSON.stringify({ ...base, ...fields });
}

export function entry(id: string, parentId: string | null, fields: Json = {}): string {
  return JSON.stringify({ type: "custom", id, parentId, timestamp: "2026-05-01T08:00:01.000Z", ...fields });
}

export function userMessage(id: string, parentId: string | null, content: unknown): string {
  return entry(id, parentId, { type: "message", message: { role: "user", content } });
}

/** Lines as a file holds them, each ended by LF. */
export function fileOf(...lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}
