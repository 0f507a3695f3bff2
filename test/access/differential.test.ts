/**
 * Under an allowlist a store must answer as if what is denied did not exist. Random stores are asked everything, then
 * the denied files are deleted and the same questions are asked again: results and errors must be equal.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { listSessions, readSessionEntries } from "../../src/index.ts";
import {
  ALLOWED,
  askEverything,
  type Node,
  node,
  removeEmptyDirectories,
  type Written,
  write,
} from "./deniedStores.ts";

describe("allowed projects", () => {
  it.each(["files", "files and the directories they leave empty"])(
    "a denied session cannot be told from one that does not exist (without its %s)",
    async (removed) => {
      await fc.assert(
        fc.asyncProperty(fc.array(node(3), { minLength: 1, maxLength: 4 }), async (nodes) => {
          const root = mkdtempSync(path.join(tmpdir(), "pi-retrospect-access-"));
          const indexes = mkdtempSync(path.join(tmpdir(), "pi-retrospect-index-"));
          try {
            const written: Written = { all: [], denied: [] };
            nodes.forEach((top, i) => {
              write(top, path.join(root, `--p${i % 2}--`, `s${i}.jsonl`), false, written);
            });
            const hostile = written.all.flatMap((file) => [
              file,
              `${path.dirname(file)}/./x/../${path.basename(file)}`,
              path.dirname(file),
              `${file}/`,
              file.slice(0, -".jsonl".length),
              `${file}.missing`,
            ]);
            const before = await askEverything(root, hostile, path.join(indexes, "one.db"));
            for (const file of written.denied) rmSync(file);
            if (removed !== "files") removeEmptyDirectories(root, root);
            expect(await askEverything(root, hostile, path.join(indexes, "one.db"))).toEqual(before);
            expect(await askEverything(root, hostile, path.join(indexes, "two.db"))).toEqual(before);
          } finally {
            rmSync(root, { recursive: true, force: true });
            rmSync(indexes, { recursive: true, force: true });
          }
        }),
        { numRuns: 20 },
      );
    },
  );

  it("an allowed session is reached, so the comparison is not one of empty answers", async () => {
    const root = mkdtempSync(path.join(tmpdir(), "pi-retrospect-access-"));
    try {
      const written: Written = { all: [], denied: [] };
      const child: Node = { cwd: "/r/tool", header: "good", children: [] };
      const file = path.join(root, "--p--", "s.jsonl");
      write({ cwd: "/r/app-fix", header: "good", children: [child] }, file, false, written);
      const options = { sessionsRoot: root, allowedProjects: ALLOWED };
      const { sessions } = await listSessions({}, options);
      expect(sessions).toMatchObject([{ path: file, subagentSessions: [{ cwd: "/r/tool" }] }]);
      expect((await readSessionEntries({ sessionPath: file }, options)).entries).toHaveLength(1);
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  });

  it.each([
    [undefined, true],
    [[["*"]], true],
    [[[]], false],
    [[["app"]], true],
    [[["application"]], false],
    [[["App"]], false],
    [[["app"], ["*"]], true],
    [[["app"], ["other"]], false],
    [[["*"], []], false],
  ])("the lists %j allow /r/app: %s", async (allowedProjects, isReached) => {
    const root = mkdtempSync(path.join(tmpdir(), "pi-retrospect-access-"));
    try {
      write({ cwd: "/r/app", header: "good", children: [] }, path.join(root, "--p--", "s.jsonl"), false, {
        all: [],
        denied: [],
      });
      const { sessions } = await listSessions({}, { sessionsRoot: root, allowedProjects });
      expect(sessions.length === 1).toBe(isReached);
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  });
});
