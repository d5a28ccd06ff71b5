import type { BrokerClock } from '../domain/broker-time.ts';
import { encodeLiveAccount, type TakeBytes } from '../domain/live/live-account-codec.ts';
import type { StoredLiveAccount } from '../storage/live-store.ts';
import type { LiveCell, RecentSnapshots } from './live-cell.ts';

/**
 * An account as it stands now, for a checkpoint. Its bytes are made when they are stored, a few
 * accounts at a time, or just before the account changes: making all at once would keep snapshots
 * waiting, and need as much memory as the accounts.
 */
export class CapturedAccount implements StoredLiveAccount {
  readonly accountId: string;
  readonly createdAtMs: number;
  readonly clock: BrokerClock;
  readonly #cell: LiveCell;
  readonly #snapshots: RecentSnapshots;
  readonly #take: TakeBytes;
  #kept: { state: Uint8Array; recent: Uint8Array } | undefined;

  constructor(cell: LiveCell, snapshots: RecentSnapshots, take: TakeBytes) {
    this.accountId = cell.account.id;
    this.createdAtMs = cell.createdAtMs;
    this.clock = cell.clock;
    this.#cell = cell;
    this.#snapshots = snapshots;
    this.#take = take;
    cell.captured = this;
  }

  get state(): Uint8Array {
    return this.#kept?.state ?? encodeLiveAccount(this.#cell.account, this.#take);
  }

  get recent(): Uint8Array {
    return this.#kept?.recent ?? this.#snapshots.encode(this.#cell, this.#take);
  }

  /** To be called before the account changes. */
  keep(): void {
    this.#kept = { state: this.state, recent: this.recent };
    this.#cell.captured = undefined;
  }

  /** To be called when the account is stored: from then on it may change. */
  release(): void {
    if (this.#cell.captured === this) this.#cell.captured = undefined;
  }
}
