import { RecentMap } from '../../domain/recent-map.ts';
import type { Database } from '../../storage/database.ts';
import { storeTokenUses, type TokenUse } from '../../storage/token-store.ts';

/** How often what was noted is stored. */
export const STORE_USES_EVERY_MS = 5000;
/** A token in steady use is noted so often: not with each request. */
const NOTE_EVERY_MS = 60_000;
const MAX_REMEMBERED = 100_000;
/** Beyond them, uses are passed over until the next store. */
const MAX_WAITING = 5000;
const PER_TRANSACTION = 200;

/** When tokens were last used, and from where: kept in memory, stored now and then. */
export class TokenUses {
  readonly #noted = new RecentMap<string, TokenUse>(MAX_REMEMBERED);
  readonly #waiting = new Map<string, TokenUse>();

  note(id: string, usedFrom: string, usedAtMs: number): void {
    const last = this.#noted.get(id);
    const isNew = last?.usedFrom !== usedFrom || usedAtMs - last.usedAtMs >= NOTE_EVERY_MS;
    if (!isNew || (this.#waiting.size >= MAX_WAITING && !this.#waiting.has(id))) return;
    const use = { id, usedAtMs, usedFrom };
    this.#noted.set(id, use);
    this.#waiting.set(id, use);
  }

  /** When it was last noted here. */
  lastMs(id: string): number | undefined {
    return this.#noted.get(id)?.usedAtMs;
  }

  /** Stores what was noted, as far as it can. */
  async store(database: Database): Promise<void> {
    const uses = [...this.#waiting.values()];
    this.#waiting.clear();
    for (let start = 0; start < uses.length; start += PER_TRANSACTION) {
      const some = uses.slice(start, start + PER_TRANSACTION);
      await database.transaction((tx) => storeTokenUses(tx, some));
    }
  }
}
