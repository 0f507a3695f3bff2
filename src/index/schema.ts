/**
 * What the index database holds. Everything is derived from the session files; another `SCHEMA_VERSION` means that an
 * older or newer index is thrown away and built again, so there are no migrations. `README.md` says how to query it.
 */
import type { DatabaseSync } from "./sqlite.ts";

/** "PiRe": marks the file as ours. */
export const APPLICATION_ID = 0x50695265;
export const SCHEMA_VERSION = 1;

/** Texts that overflow smaller pages leave a tenth of the file unused. */
export const PAGE_BYTES = 16384;
/** FTS5 gathers this much before it writes a segment; with its own default of 1 MiB inserting takes twice as long. */
const FTS5_HASH_BYTES = 4 << 20;

/** Segments of one size that are merged into one. With the default of 4 a cold build merges all it has twice. */
const FTS5_AUTOMERGE = 16;

/** What a text is evidence of and who spoke: the value of `message.kind`. Further kinds of text join here. */
export const KINDS = [
  { role: "user", evidence: "message" },
  { role: "assistant", evidence: "message" },
] as const;
export type KindCode = 0 | 1;
export const USER_MESSAGE: KindCode = 0;
export const ASSISTANT_MESSAGE: KindCode = 1;

/** The value of `file.state`. Only indexed and partial files have a session and messages. */
export const FILE_STATES = { indexed: 0, partial: 1, refused: 2, unread: 3 } as const;
export type FileState = (typeof FILE_STATES)[keyof typeof FILE_STATES];

const TABLES = `
CREATE TABLE meta (name TEXT PRIMARY KEY, value) WITHOUT ROWID;
INSERT INTO meta VALUES ('revision', 0), ('word_generation', 0), ('deleted_messages', 0), ('writer', NULL), ('writer_until_ms', 0);

CREATE TABLE root (id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE);

CREATE TABLE directory (
  id INTEGER PRIMARY KEY,
  root_id INTEGER NOT NULL,
  path TEXT NOT NULL,              -- in the root's spelling, ends in a separator
  is_container INTEGER NOT NULL,   -- 1: its transcripts were launched from a session
  names TEXT,                      -- the files' names joined by '/', and their facts: four doubles each (size,
  facts BLOB,                      -- mtime ms, ctime ms, inode). Null while anything in it is not up to date
  UNIQUE (root_id, path)
);

CREATE TABLE file (
  id INTEGER PRIMARY KEY AUTOINCREMENT, -- never names two files: readers keep what they know by it
  directory_id INTEGER NOT NULL,
  file_name TEXT NOT NULL,
  state INTEGER NOT NULL,          -- FILE_STATES
  reason TEXT,                     -- why it was refused
  read_error TEXT,                 -- why it could not be read the last time; its rows stay as they were
  size_bytes INTEGER NOT NULL,     -- facts when it was last opened for reading
  mtime_ms REAL NOT NULL,
  ctime_ms REAL NOT NULL,
  inode REAL NOT NULL,
  reached_bytes INTEGER NOT NULL,  -- first byte not indexed yet, the start of a line
  next_line_no INTEGER NOT NULL,   -- the line that starts there
  is_open_ended INTEGER NOT NULL,  -- 1: the last line counts though a line break may still follow it
  header_bytes INTEGER NOT NULL,   -- how much of line 1 the digest covers
  digest BLOB,                     -- of the header and of the last 64 KiB before reached_bytes
  version INTEGER,
  session_id TEXT,
  started_at TEXT,                 -- the header's timestamp as stored, null when it does not parse
  started_at_ms INTEGER,
  cwd TEXT,
  parent_session TEXT,             -- lineage, verbatim
  name TEXT,                       -- latest session_info; null when there is none or it was cleared
  last_activity TEXT,              -- latest timestamp of an entry, as stored
  last_activity_ms INTEGER,
  message_count INTEGER NOT NULL,  -- messages as read and scroll count them, on all branches
  preview TEXT,                    -- start of the first user message
  problem_count INTEGER NOT NULL,
  UNIQUE (directory_id, file_name)
);

CREATE TABLE problem (             -- the first skipped or repaired lines of a file
  file_id INTEGER NOT NULL,
  line_no INTEGER NOT NULL,
  code TEXT NOT NULL,
  reason TEXT NOT NULL,
  PRIMARY KEY (file_id, line_no)
) WITHOUT ROWID;

CREATE TABLE message (             -- one searchable text; ids ascend within a file, in file order
  id INTEGER PRIMARY KEY,
  file_id INTEGER NOT NULL,
  kind INTEGER NOT NULL,           -- index into KINDS
  line_no INTEGER NOT NULL,
  line_offset INTEGER NOT NULL,    -- where its line lies in the file, in bytes
  line_bytes INTEGER NOT NULL,     -- without the line break
  line_entry INTEGER NOT NULL,     -- which entry of the line; above 0 only for glued lines
  time_ms INTEGER NOT NULL,
  timestamp TEXT,                  -- as stored, null when it is new Date(time_ms).toISOString()
  entry_id TEXT,                   -- null where ids do not last
  word_count INTEGER NOT NULL
);
CREATE INDEX message_by_file ON message (file_id);

CREATE TABLE message_text (id INTEGER PRIMARY KEY, folded TEXT NOT NULL);
-- Which messages hold a word. Where and how often is not asked, and would double it.
CREATE VIRTUAL TABLE message_words USING fts5(tokens, content='', contentless_delete=1, detail=none, tokenize='ascii');
INSERT INTO message_words (message_words, rank) VALUES ('automerge', ${FTS5_AUTOMERGE}), ('hashsize', ${FTS5_HASH_BYTES}), ('pgsz', ${PAGE_BYTES - 50});

CREATE TABLE word (id INTEGER PRIMARY KEY, word TEXT NOT NULL UNIQUE);

CREATE VIEW session AS
SELECT file.id AS file_id, root.path AS root, directory.path || file.file_name AS path, directory.is_container,
  version, session_id, started_at, started_at_ms, cwd, parent_session, name, last_activity, last_activity_ms,
  message_count, preview
FROM file JOIN directory ON directory.id = file.directory_id JOIN root ON root.id = directory.root_id
WHERE file.state <= ${FILE_STATES.partial};
`;

/**
 * Before the first table; they hold for the life of the file. In one transaction, so that the file is ours from its first
 * byte on, whenever the process is killed.
 */
export const CREATION_PRAGMAS = `PRAGMA page_size = ${PAGE_BYTES}; BEGIN; PRAGMA auto_vacuum = INCREMENTAL;
  PRAGMA application_id = ${APPLICATION_ID}; COMMIT;`;

/** Creates everything, inside the caller's transaction. */
export function createTables(db: DatabaseSync): void {
  db.exec(TABLES);
  db.exec(`PRAGMA user_version = ${SCHEMA_VERSION};`);
}
