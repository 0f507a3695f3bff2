/** Limits that several rooms share. */

/** A longer query is cut before it is folded, so no part of a query is longer than this. In UTF-16 code units. */
export const MAX_QUERY_CHARS = 512;
