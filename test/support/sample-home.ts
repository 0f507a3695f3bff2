/** The recorded sessions as if they had been held on this machine: below a home directory whose projects exist. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { RECORDED } from "./samples.ts";

const RECORDED_HOME = "/home/ada";
const PROJECTS = ["harbor", "harbor-retry-queue", "lighthouse"];

export interface SampleHome {
  readonly harbor: string;
  readonly agentDir: string;
}

/** Fills `home`, which must be a path that needs no escaping in JSON. */
export function makeSampleHome(home: string, agentDir = path.join(home, ".pi", "agent")): SampleHome {
  for (const project of PROJECTS) mkdirSync(path.join(home, "projects", project), { recursive: true });
  const source = path.join(RECORDED, "sessions");
  for (const file of readdirSync(source, { recursive: true, encoding: "utf8" })) {
    if (!file.endsWith(".jsonl")) continue;
    const target = path.join(agentDir, "sessions", file);
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, readFileSync(path.join(source, file), "utf8").replaceAll(RECORDED_HOME, home));
  }
  return { harbor: path.join(home, "projects", "harbor"), agentDir };
}
