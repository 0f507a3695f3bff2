import { spawnSync } from "node:child_process";
import { closeSync, mkdirSync, renameSync, symlinkSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import {
  isStrictlyInside,
  openRegularFile,
  readHead,
  requireConfinedPath,
  requireRoots,
} from "../../src/session/store.ts";
import { scratch } from "../support/stores.ts";

describe("roots", () => {
  test("are absolute, each once, in the caller's spelling and order", () => {
    const roots = requireRoots({ sessionsRoot: "b/", additionalRoots: ["/a", "b", "/a/", "/A", "./c/../b"] });
    expect(roots).toEqual([path.resolve("b"), "/a", "/A"]);
  });

  test.each([
    [undefined],
    [null],
    ["/root"],
    [{}],
    [{ sessionsRoot: "" }],
    [{ sessionsRoot: 7 }],
    [{ sessionsRoot: "/a\0b" }],
    [{ sessionsRoot: "/a", additionalRoots: "/b" }],
    [{ sessionsRoot: "/a", additionalRoots: [""] }],
    [{ sessionsRoot: "/a", additionalRoots: [null] }],
  ])("given as %j are a caller's mistake", (options) => {
    expect(() => requireRoots(options as never)).toThrow(expect.objectContaining({ name: "ParameterError" }));
  });
});

test.each([
  ["/r/a", "/r", true],
  ["/r/a/b", "/r", true],
  ["/r/..a", "/r", true],
  ["/r/...", "/r", true],
  ["/r", "/r", false],
  ["/", "/r", false],
  ["/ra", "/r", false],
  ["/r/../x", "/r", false],
  ["/R/a", "/r", false],
  ["/r", "/", true],
  ["/", "/", false],
])("%s strictly inside %s: %s", (candidate, directory, expected) => {
  expect(isStrictlyInside(candidate, directory)).toBe(expected);
});

describe("opening a file", () => {
  test("gives its size", () => {
    const file = openRegularFile(scratch().write("a.jsonl", "12345"));
    expect(file.size).toBe(5);
    closeSync(file.fd);
  });

  test("the head of a file is as much as the buffer holds, and no more than there is", () => {
    const file = scratch().write("a.jsonl", "12345");
    expect([readHead(file, Buffer.alloc(3)), readHead(file, Buffer.alloc(9))]).toEqual([3, 5]);
  });

  test("the head of what is no regular file is refused, and a pipe is not waited for", () => {
    const tree = scratch();
    symlinkSync(tree.write("target.jsonl", "x"), tree.at("link.jsonl"));
    mkdirSync(tree.at("directory.jsonl"));
    for (const name of ["link.jsonl", "directory.jsonl", "absent.jsonl"]) {
      expect(() => readHead(tree.at(name), Buffer.alloc(9)), name).toThrow();
    }
    if (spawnSync("mkfifo", [tree.at("pipe.jsonl")]).status === 0) {
      expect(() => readHead(tree.at("pipe.jsonl"), Buffer.alloc(9))).toThrow();
    } else console.warn("SKIPPED: no mkfifo here, so a FIFO in a file's place was not tried");
  });

  test("refuses what is no regular file, and does not wait for a pipe", () => {
    const tree = scratch();
    const target = tree.write("target.jsonl", "x");
    symlinkSync(target, tree.at("link.jsonl"));
    mkdirSync(tree.at("directory.jsonl"));
    for (const name of ["link.jsonl", "directory.jsonl", "absent.jsonl"]) {
      expect(() => openRegularFile(tree.at(name)), name).toThrow();
    }
    if (spawnSync("mkfifo", [tree.at("pipe.jsonl")]).status === 0) {
      expect(() => openRegularFile(tree.at("pipe.jsonl"))).toThrow("not a regular file");
    } else console.warn("SKIPPED: no mkfifo here, so a FIFO in a file's place was not tried");
  });
});

describe("confinement", () => {
  test("judges real paths: a root spelled through a link holds its files under either spelling", () => {
    const tree = scratch();
    const file = tree.write("real/--p--/a.jsonl", "x");
    symlinkSync(tree.at("real"), tree.at("alias"));
    for (const root of ["real", "alias"]) {
      for (const spelling of ["real", "alias"]) {
        const found = requireConfinedPath(tree.at(spelling, "--p--/a.jsonl"), [tree.at(root)]);
        expect(found.real).toBe(file);
      }
    }
  });

  test("a second root that cannot be read hides no file of the first, and says so for its own files", () => {
    const tree = scratch();
    const file = tree.write("one/a.jsonl", "x");
    const outside = tree.write("three/a.jsonl", "x");
    const roots = [tree.at("one"), tree.at("gone")];
    expect(requireConfinedPath(file, roots).real).toBe(file);
    expect(() => requireConfinedPath(tree.at("gone/a.jsonl"), roots)).toThrow(
      /^sessions root is not readable: /,
    );
    expect(() => requireConfinedPath(outside, roots)).toThrow(/outside the sessions root/);
  });

  test("a root that is a file cannot be read", () => {
    const tree = scratch();
    const file = tree.write("root", "x");
    expect(() => requireConfinedPath(tree.at("root/a"), [file])).toThrow(/^sessions root is not readable: /);
    expect(() => requireConfinedPath(file, [file])).toThrow(/^sessions root is not readable: /);
  });

  test("a directory beside the root whose name begins with the root's is outside", () => {
    const tree = scratch();
    tree.mkdir("store");
    const file = tree.write("store-copy/a.jsonl", "x");
    expect(() => requireConfinedPath(file, [tree.at("store")])).toThrow(/outside the sessions root/);
  });

  test("what the path resolves to is what is returned, so a link that is turned round later reaches nothing", () => {
    const tree = scratch();
    const file = tree.write("root/a.jsonl", "inside");
    const secret = tree.write("secret.jsonl", "outside");
    symlinkSync(file, tree.at("root/link.jsonl"));
    const found = requireConfinedPath(tree.at("root/link.jsonl"), [tree.at("root")]);
    symlinkSync(secret, tree.at("root/other"));
    renameSync(tree.at("root/other"), tree.at("root/link.jsonl"));
    expect(found.real).toBe(file);
    renameSync(tree.at("root/link.jsonl"), file);
    expect(() => openRegularFile(found.real)).toThrow();
  });
});
