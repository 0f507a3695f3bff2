/** Which entries a query keeps: all categories must hold, values of one array are alternatives, null matches nothing. */
import { isInRange } from "../query/timeRange.ts";
import type { StoredEntry } from "../session/entry.ts";
import type { EntriesQuery } from "./plan.ts";

/** Everything but the search, which needs the entry's text. */
export function isEntryKept(query: EntriesQuery, lineNo: number, entry: StoredEntry): boolean {
  return (
    lineNo >= query.startLineNo &&
    lineNo <= query.endLineNo &&
    isListed(query.ids, entry.id) &&
    isListed(query.parentIds, entry.parentId) &&
    isListed(query.types, entry.type) &&
    isListed(query.messageRoles, entry.messageRole) &&
    isInRange(entry.timestampMs, query.timeRange)
  );
}

/** True when the text contains any term, or when nothing is searched. */
export function isTextKept(query: EntriesQuery, text: string | null): boolean {
  if (query.search === undefined) return true;
  if (text === null) return false;
  const searched = query.search.caseSensitive ? text : text.toLowerCase();
  return query.search.terms.some((term) => searched.includes(term));
}

function isListed(values: ReadonlySet<string> | undefined, value: string | null): boolean {
  return values === undefined || (value !== null && values.has(value));
}
