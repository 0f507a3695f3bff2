/** Listing 10,000 sessions of 200 projects. */
import { closeSync, openSync, readdirSync, readSync, writeFileSync } from "node:fs";
import { defineCase, longestHold, wallTime } from "../case.ts";
import { Random } from "../random.ts";
import { writeProjects } from "../store/projects.ts";
import type { Stores } from "../stores.ts";

const SESSIONS = 10_000;
const READ_BYTES = 4097;

export default defineCase<{ readonly root: string }>({
  name: "list",
  about: "10,000 sessions in 200 projects | readdir, open, read 4,097 bytes, close, parse line 1",
  bars: [wallTime(1.4), longestHold(50)],

  prepare: (stores) => ({ root: listStore(stores) }),

  async ours({ root }, meter) {
    const { listSessions } = await meter.loadLibrary();
    const listed = await meter.timed(() => listSessions({}, { sessionsRoot: root }));
    meter.figure("rows", listed.sessions.length);
  },

  async floor({ root }, meter) {
    const headers = await meter.timed(() => {
      const buffer = Buffer.allocUnsafe(READ_BYTES);
      const headers: unknown[] = [];
      for (const project of readdirSync(root)) {
        for (const name of readdirSync(`${root}/${project}`)) {
          const fd = openSync(`${root}/${project}/${name}`, "r");
          readSync(fd, buffer, 0, READ_BYTES, 0);
          closeSync(fd);
          headers.push(JSON.parse(buffer.toString("utf8", 0, buffer.indexOf(0x0a))));
        }
      }
      return headers;
    });
    meter.figure("rows", headers.length);
  },
});

/** The root of the store of 10,000 sessions in 200 projects. */
export function listStore(stores: Stores): string {
  const sessions = Math.round(SESSIONS * stores.scale);
  return stores.cached("list", { sessions }, (root) => writeSessions(root, sessions, stores.seed)).root;
}

/** Sessions of some 5 KB: a header and enough behind it that every read is a full one. */
function writeSessions(root: string, sessions: number, seed: number): void {
  const random = new Random(seed, "list");
  writeProjects(root, sessions, random, ({ file, startMs, header }) => {
    const content = [{ type: "text", text: random.hex(random.between(4500, 5500)) }];
    const message = { role: "user", content, timestamp: startMs };
    const timestamp = new Date(startMs).toISOString();
    const entry = { type: "message", id: random.hex(8), parentId: null, timestamp, message };
    writeFileSync(file, `${JSON.stringify(header)}\n${JSON.stringify(entry)}\n`);
  });
}
