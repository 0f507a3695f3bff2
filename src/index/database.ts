/**
 * An open index: prepared statements, short write transactions, and whether it can be written at all. Knows nothing
 * of what the rows mean.
 */
import { statSync } from "node:fs";
import type { DatabaseSync, StatementSync } from "./sqlite.ts";

const LONG_LOG_BYTES = 1 << 20;

export type SqlValue = null | number | bigint | string | Uint8Array;
export type Row = Readonly<Record<string, unknown>>;

/** How a connection came about. */
export interface Connection {
  readonly db: DatabaseSync;
  /** False for an index that can only be read, and for the empty one in memory that stands in for none. */
  readonly isWritable: boolean;
  /** Why it cannot be written. */
  readonly failure?: string;
  readonly inode: number | undefined;
}

/** Opens the file again. With `isDamaged` it is replaced first. */
export type Reopen = (isDamaged: boolean) => Promise<Connection>;

export class IndexDatabase {
  readonly path: string;
  readonly #reopen: Reopen;
  #connection: Connection;
  #statements = new Map<string, StatementSync>();
  #isClosed = false;
  #openings = 1;

  constructor(path: string, connection: Connection, reopen: Reopen) {
    this.path = path;
    this.#connection = connection;
    this.#reopen = reopen;
  }

  get db(): DatabaseSync {
    return this.#connection.db;
  }

  get isWritable(): boolean {
    return this.#connection.isWritable;
  }

  /** Why the index cannot be written, when it cannot. */
  get failure(): string | undefined {
    return this.#connection.failure;
  }

  /** True for an empty index in memory, in the place of one that can be neither made nor read. */
  get isStandIn(): boolean {
    return !this.isWritable && this.inode === undefined;
  }

  get inode(): number | undefined {
    return this.#connection.inode;
  }

  /** Grows when another file is opened: nothing that was read before holds then. */
  get openings(): number {
    return this.#openings;
  }

  all(sql: string, params: readonly SqlValue[] = []): readonly Row[] {
    return this.#statement(sql).all(...params);
  }

  get(sql: string, params: readonly SqlValue[] = []): Row | undefined {
    return this.#statement(sql).get(...params);
  }

  /** @returns rows changed, and the rowid of the last insertion */
  run(sql: string, params: readonly SqlValue[] = []): { readonly changes: number; readonly rowId: number } {
    const { changes, lastInsertRowid } = this.#statement(sql).run(...params);
    return { changes: Number(changes), rowId: Number(lastInsertRowid) };
  }

  /** Rows this connection has changed so far. */
  totalChanges(): number {
    return Number(this.get("SELECT total_changes() AS count")?.["count"]);
  }

  /** Grows with every write of any process. */
  revision(): number {
    return Number(this.get("SELECT value FROM meta WHERE name = 'revision'")?.["value"]);
  }

  /**
   * Runs `work` in one write transaction. Throws what `work` throws, with nothing written, and a busy error when
   * another process keeps the lock longer than the busy timeout.
   */
  write<T>(work: () => T): T {
    this.db.exec("BEGIN IMMEDIATE");
    try {
      const result = work();
      this.db.exec("COMMIT");
      return result;
    } catch (error) {
      // SQLite has rolled back by itself after some errors, such as a full disk.
      if (this.db.isTransaction) this.db.exec("ROLLBACK");
      throw error;
    }
  }

  /**
   * Copies a long log into the database and empties it, for it may take as much room as all of it. Does less, or nothing,
   * while another process reads or writes.
   */
  emptyLongLog(): void {
    const bytes = statSync(`${this.path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
    if (bytes > LONG_LOG_BYTES) this.get("PRAGMA wal_checkpoint(TRUNCATE)");
  }

  /** The file is damaged: throws it away and opens an empty one in its place. */
  async replaceDamaged(): Promise<void> {
    await this.#renew(true);
  }

  /** Another process has put another file in place: opens that one. */
  async reopen(): Promise<void> {
    await this.#renew(false);
  }

  /** False also after something that is not ours has taken the index's place. */
  get isOpen(): boolean {
    return this.db.isOpen;
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#statements.clear();
    this.#closeConnection();
  }

  async #renew(isDamaged: boolean): Promise<void> {
    this.#statements = new Map();
    this.#openings++;
    this.#closeConnection();
    this.#connection = await this.#reopen(isDamaged);
  }

  /** After opening it anew was refused, the connection is closed already. */
  #closeConnection(): void {
    if (this.db.isOpen) this.db.close();
  }

  #statement(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.db.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}
