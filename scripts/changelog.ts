/**
 * CHANGELOG.md at a release. Without arguments prints what is to be released: the section `[Unreleased]`, or, when that
 * is empty, the newest version's, which was written but not published yet. With `--release VERSION` gives what is
 * unreleased its version and today's date. Status 1 when nothing can be told of the release.
 */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";

const { values } = parseArgs({ options: { release: { type: "string" } } });
const file = path.resolve(import.meta.dirname, "..", "CHANGELOG.md");
const changelog = readFileSync(file, "utf8");
const sections = changelog.split(/^(?=## \[)/m).slice(1);
const bodyOf = (section: string | undefined) => section?.replace(/^.*\n?/, "").trim() ?? "";
const [unreleased] = sections;
const next = sections.find((section) => bodyOf(section) !== "");

if (!unreleased?.startsWith("## [Unreleased]") || next === undefined) {
  console.error("CHANGELOG.md must begin with [Unreleased] and say something");
  process.exitCode = 1;
} else if (values.release === undefined) console.log(next.trim());
else if (bodyOf(unreleased) !== "") {
  const title = `## [Unreleased]\n\n## [${values.release}] - ${new Date().toISOString().slice(0, 10)}`;
  writeFileSync(
    file,
    changelog.replace("## [Unreleased]", () => title),
  );
} else if (!next.startsWith(`## [${values.release}]`)) {
  console.error(`CHANGELOG.md says nothing of ${values.release}`);
  process.exitCode = 1;
}
