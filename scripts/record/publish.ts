/**
 * Turns the recorded store into samples: copies every session file, replacing what belongs to the machine.
 * Paths of the story need no escaping in JSON, so plain text replacement keeps each line valid and unchanged
 * otherwise.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { PI_PACKAGE } from "../../test/support/pi-run.ts";
import type { Recorded } from "./stage.ts";
import type { Workspace } from "./workspace.ts";

export function publish(workspace: Workspace, recorded: readonly Recorded[], target: string): void {
  const sessions = join(workspace.agentDir, "sessions");
  const neutral = neutralizer(workspace.root);
  rmSync(target, { recursive: true, force: true });
  for (const file of readdirSync(sessions, { recursive: true, encoding: "utf8" }).filter((f) =>
    f.endsWith(".jsonl"),
  )) {
    const path = join(target, "sessions", neutral(file));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, neutral(readFileSync(join(sessions, file), "utf8")));
  }
  const rows = recorded.map(({ name, path, shows }) => ({
    name,
    path: neutral(`sessions/${relative(sessions, path)}`),
    shows,
  }));
  writeFileSync(join(target, "manifest.json"), `${JSON.stringify(rows, null, 2)}\n`);
  writeFileSync(join(target, "README.md"), readme(rows));
}

function neutralizer(root: string): (text: string) => string {
  const slug = (path: string) => path.slice(1).replaceAll(/[/\\:]/g, "-");
  const piPackage = PI_PACKAGE.replace(/\/$/, "");
  return (text) =>
    text
      .replaceAll(piPackage, "/opt/pi")
      .replaceAll(`--${slug(root)}-`, "--")
      .replaceAll(root, "");
}

function readme(rows: readonly Recorded[]): string {
  const list = rows.map(({ name, path, shows }) => `- \`${name}\`: ${shows}\n  \`${path}\``);
  return `# Recorded sessions

Genuine files of real Pi with a scripted model, telling one invented story: how the project harbor got a retry
queue. Only machine paths were replaced. Written by \`scripts/record-samples.ts\`, which replaces this folder;
\`manifest.json\` has the same list for tests, because file names change with every recording.

${list.join("\n")}
`;
}
