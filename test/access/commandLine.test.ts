/** The command line under `--respect-allowlist`: it prints the same whether denied sessions exist or not. */
import { rmSync } from "node:fs";
import { expect, test } from "vitest";
import { cli } from "../support/cli.ts";
import { fileOf, header, scratch, userMessage } from "../support/stores.ts";

test("sessions found by name or id, notes and answers tell nothing of what is denied", async () => {
  const tree = scratch();
  const agentDir = tree.at("agent");
  tree.write("agent/settings.json", JSON.stringify({ piRetrospect: { allowedProjects: ["app"] } }));
  const write = (project: string, id: string) =>
    tree.write(
      `agent/sessions/--${project}--/2026-01-01T00-00-00-000Z_${id}.jsonl`,
      fileOf(
        header({ id, cwd: `/s/${project}` }),
        userMessage("u", null, "needle"),
        JSON.stringify({
          type: "session_info",
          id: "n",
          parentId: "u",
          timestamp: "2026-01-01T00:00:00Z",
          name: `needle ${project}`,
        }),
      ),
    );
  write("app", "11111111-app");
  write("app", "22222222-app");
  const denied = [
    write("secret", "22222222-secret"),
    write("secret", "33333333-secret"),
    write("tmp-secret", "44444444-tmp"),
  ];
  const ask = async () => {
    const printed: unknown[] = [];
    for (const args of [
      ...[
        "11111111",
        "22222222",
        "33333333-secret",
        "44444444",
        "2026-01-01T00-00-00-000Z_33333333-secret.jsonl",
      ].flatMap((name) => [
        ["show", name],
        ["entries", name],
      ]),
      ["search", "needle"],
      ["search", "needle", "--limit", "2"],
      ["search", "secret"],
      ["search"],
      ["list"],
    ]) {
      printed.push([args, await cli([...args, "--agent-dir", agentDir, "--respect-allowlist"])]);
    }
    return printed;
  };
  const before = await ask();
  expect(JSON.stringify(before)).toContain("needle app");
  for (const file of denied) rmSync(file);
  expect(await ask()).toEqual(before);
});
