/** The output schema of `operation: "prepare-pattern-miner"`: one variant of `session_search`. */
import { type TSchema, Type } from "typebox";
import type { InventoryCollection } from "../model.ts";
import { SCOPES } from "../search/plan.ts";
import { closed, flag, nullableText, oneOf, SPEAKERS, text } from "./schemaParts.ts";

function perCollection<T extends TSchema>(value: T) {
  const collections = {
    packageScripts: value,
    executableScripts: value,
    agentInstructions: value,
    skills: value,
  } satisfies Record<InventoryCollection, T>;
  return Type.Object(collections, closed);
}

const inventory = Type.Union([
  Type.Object(
    {
      available: Type.Literal(true),
      worktreeVerified: Type.Literal(false),
      sources: perCollection(oneOf(["git-index", "pi-effective-registry"])),
      packageScripts: Type.Array(
        Type.Object({ path: Type.String(), name: Type.String(), command: Type.String() }, closed),
      ),
      executableScripts: Type.Array(Type.String()),
      agentInstructions: Type.Array(Type.String()),
      skills: Type.Array(
        Type.Object({ name: Type.String(), description: Type.String(), path: Type.String() }, closed),
      ),
      omittedCounts: perCollection(Type.Integer()),
      truncated: flag,
    },
    closed,
  ),
  Type.Object(
    {
      available: Type.Literal(false),
      reason: oneOf(["not-a-git-repository", "inventory-failed"]),
    },
    closed,
  ),
]);

export const PrepareSchema = Type.Object(
  {
    mode: Type.Literal("prepare-pattern-miner"),
    scope: oneOf(SCOPES),
    projectRoot: text(),
    sync: Type.Object(
      { walkComplete: Type.Boolean(), backlogRemaining: Type.Integer(), complete: Type.Boolean() },
      closed,
    ),
    sessions: Type.Array(
      Type.Object(
        {
          path: Type.String(),
          cwd: nullableText,
          startedAt: nullableText,
          name: text(),
          parentSessionPath: text(),
          messages: Type.Array(
            Type.Object(
              { id: nullableText, role: oneOf(SPEAKERS), timestamp: Type.String(), text: Type.String() },
              closed,
            ),
          ),
          truncated: flag,
          contentTruncated: flag,
          error: text(),
        },
        closed,
      ),
    ),
    inventory,
    contentTruncated: flag,
  },
  closed,
);
