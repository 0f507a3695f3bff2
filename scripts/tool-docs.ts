/**
 * Writes the parameter tables of `docs/tool-api.md` from the schemas, between its markers; `--check` fails when they
 * are stale.
 */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { isJsonObject } from "../src/session/json.ts";
import * as declarations from "../src/surface/declarations.ts";

const file = path.resolve(import.meta.dirname, "..", "docs", "tool-api.md");

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

const before = readFileSync(file, "utf8");
let after = before;
for (const { name, parameters } of Object.values(declarations)) {
  const [start, end] = [`<!-- parameters of ${name} -->`, `<!-- end of ${name} -->`];
  const [from, to] = [after.indexOf(start), after.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`${file} lacks the markers of ${name}`);
  const table = parameterTable(JSON.parse(JSON.stringify(parameters)));
  after = `${after.slice(0, from + start.length)}\n\n${table}\n\n${after.slice(to)}`;
}
if (process.argv.includes("--check")) {
  if (after !== before) {
    console.error("docs/tool-api.md is stale: run `npm run docs` and commit the result");
    process.exit(1);
  }
} else {
  writeFileSync(file, after);
}
