/**
 * What deleting rows leaves behind: words that no message holds any more, and free pages with old text in them. Both
 * are given back once they are a fair part of the whole, in short transactions.
 */
import type { IndexDatabase } from "./database.ts";
import { numberOf } from "./rowValues.ts";

/** Looking for such words reads every posting, so it waits for so many deletions, and for a fifth of all messages. */
const MIN_DELETED_MESSAGES = 500;
const DELETED_PART = 1 / 5;
const MIN_FREE_PAGES = 64;
const FREE_PART = 1 / 20;
const PAGES_AT_ONCE = 128;

/** Each step is the work of one transaction; reading that takes longer is done before it is yielded. */
export function* tidyingSteps(index: IndexDatabase): Generator<() => void, void, undefined> {
  const deleted = numberOf(index.get("SELECT value FROM meta WHERE name = 'deleted_messages'"), "value");
  const messages = numberOf(index.get("SELECT count(*) AS count FROM message"), "count");
  if (deleted >= MIN_DELETED_MESSAGES && deleted >= DELETED_PART * messages) {
    const unused = unusedWordsOf(index);
    yield () => forgetWords(index, unused);
  }
  for (let free = freePagesOf(index); free > 0; free = freePagesOf(index)) {
    yield () => index.db.exec(`PRAGMA incremental_vacuum(${PAGES_AT_ONCE})`);
    if (freePagesOf(index) >= free) return;
  }
}

/** Free pages, when they are worth giving back. */
function freePagesOf(index: IndexDatabase): number {
  const free = numberOf(index.get("PRAGMA freelist_count"), "freelist_count");
  const all = numberOf(index.get("PRAGMA page_count"), "page_count");
  return free >= MIN_FREE_PAGES && free >= FREE_PART * all ? free : 0;
}

/** As JSON, for one statement. */
function unusedWordsOf(index: IndexDatabase): string {
  index.db.exec(
    "CREATE VIRTUAL TABLE IF NOT EXISTS temp.used_word USING fts5vocab(main, message_words, row)",
  );
  const row = index.get(
    "SELECT json_group_array(id) AS ids FROM word WHERE word NOT IN (SELECT term FROM temp.used_word)",
  );
  return typeof row?.["ids"] === "string" ? row["ids"] : "[]";
}

/** Ids of words may be given again, so whoever remembers words must start anew. */
function forgetWords(index: IndexDatabase, ids: string): void {
  index.run("DELETE FROM word WHERE id IN (SELECT value FROM json_each(?))", [ids]);
  index.run("UPDATE meta SET value = value + 1 WHERE name = 'word_generation'");
  index.run("UPDATE meta SET value = 0 WHERE name = 'deleted_messages'");
}
