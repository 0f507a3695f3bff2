import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";

const src = path.resolve(import.meta.dirname, "..", "src");
/** Rooms in the order in which they may be used: each imports only from itself and from rooms before it. */
const ROOMS = [
  "model",
  "session",
  "query",
  "list",
  "entries",
  "transcript",
  "index",
  "search",
  "mining",
  "surface",
  "top",
];

const files = readdirSync(src, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));

function roomOf(file: string): string {
  const [first = "", ...rest] = file.split(path.sep);
  if (rest.length > 0) return first;
  return first === "model.ts" ? "model" : "top";
}

function importsOf(file: string): string[] {
  const text = readFileSync(path.join(src, file), "utf8");
  return [...text.matchAll(/(?:from|import)\s*\(?\s*"([^"]+)"/g)].map(([, specifier = ""]) => specifier);
}

describe("the house", () => {
  it("knows every room", () => {
    expect(files.map(roomOf).filter((room) => !ROOMS.includes(room))).toEqual([]);
  });

  it.each(files)("%s imports only from its own room and the rooms before it", (file) => {
    const own = ROOMS.indexOf(roomOf(file));
    for (const specifier of importsOf(file).filter((name) => name.startsWith("."))) {
      const target = path.relative(src, path.resolve(src, path.dirname(file), specifier));
      expect(ROOMS.indexOf(roomOf(target)), `${file} -> ${target}`).toBeLessThanOrEqual(own);
    }
  });

  it("names Pi in surface and in the extension alone, and never imports a value from it", () => {
    for (const file of files) {
      const text = readFileSync(path.join(src, file), "utf8");
      if (!text.includes("@earendil-works/")) continue;
      expect(["surface", "top"]).toContain(roomOf(file));
      const values = text.match(/^import (?!type )[^;]*"@earendil-works\/[^"]*";/gm) ?? [];
      expect(values, file).toEqual([]);
    }
  });

  it("opens session files in the store module alone, and opens nothing for writing", () => {
    for (const file of files.filter((name) =>
      ["session", "query", "list", "entries", "transcript", "search", "mining"].includes(roomOf(name)),
    )) {
      const text = readFileSync(path.join(src, file), "utf8");
      expect(text, file).not.toMatch(
        /\b(write|append|truncate|rename|unlink|rm|utimes|chmod|mkdir)(File)?Sync\b/,
      );
      if (file !== path.join("session", "store.ts")) expect(text, file).not.toMatch(/\bopenSync\b/);
    }
  });

  it("loads no tables of characters into Pi's own thread: only its worker folds", () => {
    const reached = new Set<string>();
    const visit = (file: string) => {
      if (reached.has(file)) return;
      reached.add(file);
      const text = readFileSync(path.join(src, file), "utf8");
      for (const [, names = "", specifier = ""] of text.matchAll(
        /^(import (?!type )[^;]*?) from "(\.[^"]+)";/gms,
      )) {
        const isTypeOnly = /^import \{\s*(type \w+(,\s*)?)+\}$/s.test(names.trim());
        if (!isTypeOnly) visit(path.relative(src, path.resolve(src, path.dirname(file), specifier)));
      }
    };
    visit(path.join("surface", "host.ts"));
    expect(reached).toContain(path.join("search", "plan.ts"));
    expect([...reached].filter((file) => file.endsWith(path.join("index", "fold.ts")))).toEqual([]);
  });
});
