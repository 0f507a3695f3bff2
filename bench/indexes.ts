/** Indexes that cases ask or bring up to date, built before anything is measured. */
import path from "node:path";

/** Indexes the roots anew; `directory` must hold none. Loads the product late: a floor must not pay for it. */
export async function indexOf(roots: readonly string[], directory: string): Promise<string> {
  const { openIndex } = await import("../src/index/open.ts");
  const { syncIndex } = await import("../src/index/sync.ts");
  const indexPath = path.join(directory, "index", "index.db");
  const index = await openIndex(indexPath);
  try {
    const { backlogRemaining } = await syncIndex(index, { roots });
    if (backlogRemaining > 0) throw new Error(`${backlogRemaining} files were not indexed`);
  } finally {
    index.close();
  }
  return indexPath;
}
