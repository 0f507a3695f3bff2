/**
 * Writes the tables of `docs/tool-api.md` and `docs/settings.md` from the schemas, between their markers; `--check` fails
 * when they are stale.
 */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { isJsonObject } from "../src/session/json.ts";
import * as declarations from "../src/surface/declarations.ts";
import { SettingsSchema } from "../src/surface/settingsSchema.ts";

/** One schema's type as a reader would write it. */
function typeOf(schema: unknown): string {
  if (!isJsonObject(schema)) return "unknown";
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join(" \\| ");
  const minimum = typeof schema.minimum === "number" ? ` ≥ ${schema.minimum}` : "";
  if (schema.type === "array")
    return `${typeOf(schema.items)}[]${schema.minItems === 1 ? ", not empty" : ""}`;
  if (schema.type === "object" && isJsonObject(schema.properties)) {
    const fields = Object.entries(schema.properties).map(([name, field]) => {
      const isRequired = Array.isArray(schema.required) && schema.required.includes(name);
      return `${name}${isRequired ? "" : "?"}: ${typeOf(field)}`;
    });
    return `{ ${fields.join("; ")} }`;
  }
  return `${String(schema.type)}${minimum}`;
}

function parameterTable(parameters: unknown): string {
  if (!isJsonObject(parameters) || !isJsonObject(parameters.properties))
    throw new Error("not an object schema");
  const required = Array.isArray(parameters.required) ? parameters.required : [];
  const rows = Object.entries(parameters.properties).map(([name, schema]) => {
    const description =
      isJsonObject(schema) && typeof schema.description === "string" ? schema.description : "";
    const cell = description.replaceAll("|", "\\|").replaceAll("<", "&lt;");
    return `| \`${name}\` | ${typeOf(schema)} | ${required.includes(name) ? "yes" : ""} | ${cell} |`;
  });
  return [
    "| parameter | type | required | what the model is told |",
    "| --- | --- | --- | --- |",
    ...rows,
  ].join("\n");
}

/** One row per setting, nested ones by their path. */
function settingRows(schema: unknown, prefix: string): readonly string[] {
  if (!isJsonObject(schema) || !isJsonObject(schema.properties)) throw new Error("not an object schema");
  return Object.entries(schema.properties).flatMap(([name, setting]) => {
    if (isJsonObject(setting) && isJsonObject(setting.properties))
      return settingRows(setting, `${prefix}${name}.`);
    const { description = "", default: byDefault } = isJsonObject(setting) ? setting : {};
    const shown = byDefault === undefined ? "absent" : JSON.stringify(byDefault);
    return [`| \`${prefix}${name}\` | ${typeOf(setting)} | \`${shown}\` | ${cellOf(description)} |`];
  });
}

function cellOf(description: unknown): string {
  return String(description).replaceAll("|", "\\|").replaceAll("<", "&lt;");
}

/** The text with the table between its markers. */
function withTable(text: string, name: string, table: string): string {
  const [start, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`];
  const [from, to] = [text.indexOf(start), text.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`the markers of ${name} are missing`);
  return `${text.slice(0, from + start.length)}\n\n${table}\n\n${text.slice(to)}`;
}

function plain(schema: unknown): unknown {
  return JSON.parse(JSON.stringify(schema));
}

const tables = {
  "docs/tool-api.md": Object.values(declarations).map(
    ({ name, parameters }) => [`parameters of ${name}`, parameterTable(plain(parameters))] as const,
  ),
  "docs/settings.md": [
    [
      "settings",
      [
        "| setting | type | default | effect |",
        "| --- | --- | --- | --- |",
        ...settingRows(plain(SettingsSchema), ""),
      ].join("\n"),
    ] as const,
  ],
};
for (const [file, pages] of Object.entries(tables)) {
  const at = path.resolve(import.meta.dirname, "..", file);
  const before = readFileSync(at, "utf8");
  const after = pages.reduce((text, [name, table]) => withTable(text, name, table), before);
  if (!process.argv.includes("--check")) writeFileSync(at, after);
  else if (after !== before) {
    console.error(`${file} is stale: run \`npm run docs\` and commit the result`);
    process.exitCode = 1;
  }
}
