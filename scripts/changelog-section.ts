/**
 * What is to be released next, as CHANGELOG.md has it: the section of `[Unreleased]`, or, when that is empty, of the newest
 * version. Ends with status 1 when there is neither: nobody can tell what such a release brings.
 */
import { readFileSync } from "node:fs";
import path from "node:path";

const changelog = readFileSync(path.resolve(import.meta.dirname, "..", "CHANGELOG.md"), "utf8");
const sections = changelog.split(/^(?=## \[)/m).slice(1);
const bodyOf = (section: string) => section.replace(/^.*\n/, "").trim();
const [section] = sections.filter((candidate) => bodyOf(candidate) !== "");
if (section === undefined) {
  console.error("CHANGELOG.md has no section that says anything");
  process.exitCode = 1;
} else console.log(section.trim());
