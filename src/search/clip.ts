/** What counts of a query. Apart from the grammar, so that checking parameters loads no tables of characters. */
import { cutText } from "../session/cut.ts";
import { MAX_QUERY_CHARS } from "../session/limits.ts";

/** Trimmed, cut to `MAX_QUERY_CHARS` and never inside a surrogate pair. */
export function clipQuery(query: string): string {
  return cutText(query.trim(), MAX_QUERY_CHARS);
}
