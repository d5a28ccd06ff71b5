import type { BrokerClock } from '../domain/broker-time.ts';
import { encodeLiveAccount } from '../domain/live/live-account-codec.ts';
import type { StoredLiveAccount } from '../storage/live-store.ts';
import type { ByteBlocks } from './byte-blocks.ts';
import type { LiveCell, RecentSnapshots } from './live-cell.ts';

/** What the accounts of a checkpoint are encoded from and into. */
export type CaptureMemory = {
  snapshots: RecentSnapshots;
  /** For those that are being stored, a few at a time: used again after each time. */
  passing: ByteBlocks;
  /** For those that change before they are stored. */
  kept: ByteBlocks;
};

type Kept = { clock: BrokerClock; state: Uint8Array; recent: Uint8Array };

/**
 * An account as it stands now, for a checkpoint. Its bytes are made when they are stored, a few
 * accounts at a time, or just before the account changes: making all at once would keep snapshots
 * waiting, and need as much memory as the accounts.
 */
export class CapturedAccount implements StoredLiveAccount {
  readonly #cell: LiveCell;
  readonly #memory: CaptureMemory;
  #kept: Kept | undefined;

  constructor(cell: LiveCell, memory: CaptureMemory) {
    this.#cell = cell;
    this.#memory = memory;
    cell.captured = this;
  }

  get accountId(): string {
    return this.#cell.id;
  }

  get createdAtMs(): number {
    return this.#cell.createdAtMs;
  }

  get clock(): BrokerClock {
    return this.#kept?.clock ?? this.#cell.brokerClock;
  }

  /** Good until the memory for what is being stored is used again. */
  get state(): Uint8Array {
    const { passing } = this.#memory;
    return this.#kept?.state ?? encodeLiveAccount(this.#cell, passing.take);
  }

  /** As long as `state`. */
  get recent(): Uint8Array {
    const { passing, snapshots } = this.#memory;
    return this.#kept?.recent ?? snapshots.encode(this.#cell, passing.take);
  }

  /** To be called before the account changes. */
  keep(): void {
    const { kept, snapshots } = this.#memory;
    this.#kept = {
      clock: this.#cell.brokerClock,
      state: encodeLiveAccount(this.#cell, kept.take),
      recent: snapshots.encode(this.#cell, kept.take),
    };
    this.#cell.captured = undefined;
  }

  /** To be called when the account is stored: from then on it may change. */
  release(): void {
    if (this.#cell.captured === this) this.#cell.captured = undefined;
  }
}
