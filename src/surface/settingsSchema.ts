/** JSON Schema of the settings under `piRetrospect`, for editors and for the table in the documentation. */
import { Type } from "typebox";
import { DEFAULT_INDEX_SETTINGS } from "./settings.ts";

export const SettingsSchema = Type.Object(
  {
    markSteeringMessages: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          "put `STEERING: ` before messages that correct the agent in the middle of a run; run /reload after editing",
      }),
    ),
    allowedProjects: Type.Optional(
      Type.Array(Type.String({ minLength: 1, pattern: "^(?!\\.{1,2}$)[^/\\\\]+$" }), {
        description:
          'basenames of the projects that the tools can reach (`app` also allows `app-*`); absent or with "*": all; a project can only narrow its user\'s list',
      }),
    ),
    index: Type.Optional(
      Type.Object(
        {
          enabled: Type.Optional(
            Type.Boolean({
              default: DEFAULT_INDEX_SETTINGS.enabled,
              description:
                "keep a search index; without one, searches scan the files within their time budget",
            }),
          ),
          background: Type.Optional(
            Type.Boolean({
              default: DEFAULT_INDEX_SETTINGS.background,
              description: "bring the index up to date shortly after a session starts",
            }),
          ),
          excludePrefixes: Type.Optional(
            Type.Array(Type.String({ minLength: 1 }), {
              default: [...DEFAULT_INDEX_SETTINGS.excludePrefixes],
              description:
                "project directories of the default root, by the start of their name, that are not searched",
            }),
          ),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
);
