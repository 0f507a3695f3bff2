import { closeSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openConfinedFile } from "../../src/session/store.ts";

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(path.join(tmpdir(), "pi-retrospect-open-")));
  mkdirSync(path.join(root, "inside"));
  writeFileSync(path.join(root, "inside", "a.jsonl"), "x");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

test("a file is opened at its real path", () => {
  const file = openConfinedFile(path.join(root, "inside", "a.jsonl"));
  expect(file.size).toBe(1);
  closeSync(file.fd);
});

test("a directory that became a link since the path was resolved leads nowhere", () => {
  symlinkSync(path.join(root, "inside"), path.join(root, "swapped"));
  expect(() => openConfinedFile(path.join(root, "swapped", "a.jsonl"))).toThrow(/changed its place/);
});
