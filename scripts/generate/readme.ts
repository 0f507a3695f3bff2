/** Owns the text of samples/generated/README.md. */

export const README = `# Generated samples

Written by \`scripts/generate-samples.ts\`; do not edit, run the script again. All content is invented. The
bytes are the point of these files (BOM, lone CR, NUL, invalid UTF-8, symlinks), so no tool may convert or
format them.

| path | what it is |
| --- | --- |
| \`store/\` | a session root in Pi's default layout, \`--<slug>--\` directories |
| \`flat/\` | a flat session directory, a root of its own |
| \`not-flat/\` | a root in which nothing is found |
| \`linked/\` | targets of symlinks, outside of every root |
| \`manifest.json\` | what the contract expects; types in \`scripts/generate/model.ts\` |

How to read the manifest (paths are relative to this directory, \`TZ\` must be \`timeZone\`):

- \`listing.rows\` stand in the order of the result: each top-level row is followed by its subtree, \`parent\`
  names the row above. A row with \`onlyWithOrphans\` is there only with \`includeOrphans\`; \`orphan\` marks
  those with \`orphaned: true\`.
- \`listing.warnings\`: exactly one warning for each path and no row. \`kind\` is a slug of this manifest, not
  the reason's wording; equal kinds should read alike.
- \`listing.ignored\`: neither a row nor a warning, with or without orphans, nor anything below it.
- \`listing.queries\`: a call and its top-level paths in order. The paths in \`hidden\` must be missing at
  every depth.
- \`entries\`: one item for each file. \`reject\` not null: the call throws. Else \`lines\` holds every
  physical line after line 1; \`entry\` and \`recovered_entry\` give rows, all but \`entry\` give one warning
  of that code. A \`version\` of 1 adds one \`legacy_version\` warning in front. \`activeBranchIds\` and
  \`activeBranchLineNos\` are in file order.
- \`paths\`: how \`session_entries\` takes a path when \`store/\` is the only root.
- \`note\` marks a point on which the contract leaves two readings, and says which one was chosen and why.
`;
