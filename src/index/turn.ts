/**
 * Whose turn it is to write. SQLite admits one writer at a time but keeps no queue, so a process with much to write
 * would starve the others or be starved; and two that index the same store would do the work twice. A row names the
 * writer and when its claim ends. It only orders the work: each transaction is safe by itself.
 */
import { randomUUID } from "node:crypto";
import type { IndexDatabase } from "./database.ts";

/** Longer than any gap between two transactions of a pass; a process that died is waited for this long. */
const CLAIM_MS = 3000;

/**
 * - `written`
 * - `waiting`: another process has the turn
 * - `stale`: another process has written since the plan was made, so the plan must be made again
 */
export type WriteOutcome = "written" | "waiting" | "stale";

export class WriteTurn {
  readonly #index: IndexDatabase;
  readonly #owner = randomUUID();
  #revision: number;
  #isClaimed = false;

  constructor(index: IndexDatabase) {
    this.#index = index;
    this.#revision = index.revision();
  }

  /** Call before what is planned is read: from here on a foreign write makes the plan stale. */
  plan(): void {
    this.#revision = this.#index.revision();
  }

  /**
   * Runs `work` in one transaction, if it is our turn and nobody has written since `plan`.
   *
   * @param goesOn keeps the turn for further transactions
   */
  write(work: () => void, goesOn: () => boolean): WriteOutcome {
    return this.#index.write(() => {
      if (this.#isTaken()) return "waiting";
      if (this.#index.revision() !== this.#revision) return "stale";
      const before = this.#index.totalChanges();
      work();
      this.#setClaim(goesOn());
      if (this.#index.totalChanges() === before) return "written"; // caches of searches stay valid
      this.#index.run("UPDATE meta SET value = value + 1 WHERE name = 'revision'");
      this.#revision++;
      return "written";
    });
  }

  /** True when the lock that keeps us out is that of a process at work, not of one that forgot it. */
  isSomebodyAtWork(): boolean {
    return this.#isTaken() || this.#index.revision() !== this.#revision;
  }

  /** Gives the turn back, as far as that is possible: a claim that stays ends by itself. */
  release(): void {
    if (!this.#isClaimed) return;
    this.#isClaimed = false;
    try {
      this.#index.run(
        "UPDATE meta SET value = 0 WHERE name = 'writer_until_ms' AND (SELECT value FROM meta WHERE name = 'writer') = ?",
        [this.#owner],
      );
    } catch {
      // Locked or broken: the claim runs out in `CLAIM_MS`.
    }
  }

  #isTaken(): boolean {
    const claim = this.#index.get(
      `SELECT (SELECT value FROM meta WHERE name = 'writer') AS owner,
        (SELECT value FROM meta WHERE name = 'writer_until_ms') AS until_ms`,
    );
    const leftMs = Number(claim?.["until_ms"]) - Date.now();
    // More than a claim can be: the clock was set back.
    return claim?.["owner"] !== this.#owner && leftMs > 0 && leftMs <= CLAIM_MS;
  }

  #setClaim(isClaimed: boolean): void {
    if (!isClaimed && !this.#isClaimed) return;
    this.#isClaimed = isClaimed;
    this.#index.run("UPDATE meta SET value = ? WHERE name = 'writer'", [this.#owner]);
    this.#index.run("UPDATE meta SET value = ? WHERE name = 'writer_until_ms'", [
      isClaimed ? Date.now() + CLAIM_MS : 0,
    ]);
  }
}
