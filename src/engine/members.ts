import type { Timekeeper } from '../domain/timekeeper.ts';
import type { Database } from '../storage/database.ts';
import { beat, type MemberReport, readMembers, removeMember } from '../storage/partition-store.ts';
import { type LocalProcesses, NO_LOCAL_PROCESSES } from './local-processes.ts';
import { type Living, Membership } from './membership.ts';

const PATIENCE_MS = 4000;

export type MembersOptions = {
  database: Database;
  time: Timekeeper;
  /** Identifies this process among those that fold; new at each start. */
  ownerId: string;
  /** Names the machine, for operators. */
  host?: string;
  /** What is known of other processes there, so that nobody waits for one that has ended. */
  localProcesses?: LocalProcesses;
  /** How long a heartbeat may stand still before its process counts as dead. */
  patienceMs?: number;
};

/**
 * The processes that fold one database, as this one sees them: it shows that it is alive, and
 * checks which others are. On a database that is not shared it is alone.
 */
export class Members {
  readonly #database: Database;
  readonly #time: Timekeeper;
  readonly #own: { id: string; host: string; startedAtMs: number; mark: string | null };
  readonly #membership: Membership;

  constructor(options: MembersOptions) {
    const { database, time, ownerId: id, host = '', patienceMs = PATIENCE_MS } = options;
    const { localProcesses = NO_LOCAL_PROCESSES } = options;
    this.#database = database;
    this.#time = time;
    this.#own = { id, host, startedAtMs: time.now(), mark: localProcesses.own ?? null };
    this.#membership = new Membership(time, patienceMs, localProcesses);
  }

  /** Stores a heartbeat. A process that is leaving no longer takes a share. */
  async beat(report: MemberReport, isLeaving = false): Promise<void> {
    if (!this.#database.isShared) return;
    const seenAtMs = this.#time.now();
    await beat(this.#database, { ...this.#own, seenAtMs, isLeaving, report });
  }

  async look(): Promise<Living> {
    const { id } = this.#own;
    return this.#database.isShared
      ? this.#membership.look(await readMembers(this.#database))
      : { living: [id], sharing: [id], beating: new Set(), gone: [] };
  }

  /** Removes processes that are gone, so that machines that cannot see it need not wait either. */
  async forget(gone: readonly string[]): Promise<void> {
    for (const id of gone) await removeMember(this.#database, id);
    if (gone.length > 0) this.#database.announce('plimsoll_engines', this.#own.id);
  }

  async leave(): Promise<void> {
    await removeMember(this.#database, this.#own.id);
  }
}
