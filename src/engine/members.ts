import type { Timekeeper } from '../domain/timekeeper.ts';
import type { Database } from '../storage/database.ts';
import { beat, type MemberReport, readMembers, removeMember } from '../storage/partition-store.ts';
import { type LocalProcesses, NO_LOCAL_PROCESSES } from './local-processes.ts';
import { type Living, Membership } from './membership.ts';

const PATIENCE_MS = 4000;

export type MembersOptions = {
  database: Database;
  time: Timekeeper;
  /** Names this process among those that fold; another one for each start. */
  ownerId: string;
  /** Names the machine, for operators. */
  host?: string;
  /** What can be known of others there, so that nobody waits for one that has ended. */
  localProcesses?: LocalProcesses;
  /** How long a beat may stand still. */
  patienceMs?: number;
};

/**
 * The processes that fold one database, as this one sees them: it shows them that it lives, and looks
 * which of them do. On a database that nobody shares it is alone.
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

  /** A sign of life. One that is leaving takes no share any more. */
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

  /** Nobody needs to wait for them: also not on machines that cannot see that they have ended. */
  async forget(gone: readonly string[]): Promise<void> {
    for (const id of gone) await removeMember(this.#database, id);
    if (gone.length > 0) this.#database.announce('plimsoll_engines', this.#own.id);
  }

  async leave(): Promise<void> {
    await removeMember(this.#database, this.#own.id);
  }
}
