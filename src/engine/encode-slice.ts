import { encodeLiveAccount } from '../domain/live/live-account-codec.ts';
import { known } from '../domain/live/number-rows.ts';
import { standingFigures } from '../domain/live/standing-figures.ts';
import type { Backlog } from './backlog.ts';
import { bytesOfNumbers, type RecentSnapshots } from './recent-snapshots.ts';
import {
  firstRecords,
  isComplete,
  type PendingRecords,
  type TrackedAccount,
} from './tracked-account.ts';
import type { Slice } from './write-slice.ts';

/** Encodes the rows that a transaction stores for some accounts. */
export class SliceEncoder {
  readonly #recent: RecentSnapshots;
  readonly #arena = new Arena();

  constructor(recent: RecentSnapshots) {
    this.#recent = recent;
  }

  /**
   * The accounts' current states; their bytes are valid until the next slice is encoded. All are
   * encoded before any is changed.
   */
  encode(accounts: readonly TrackedAccount[], backlog: Backlog): Slice {
    const slice: Slice = {
      ...{ accounts: [], hours: [], corrections: [], minutes: [], periods: [], watched: [] },
      ...{ removedTrackers: [], released: [] },
    };
    this.#arena.reuse();
    const encoded = accounts.map((account) => ({ account, state: this.#stateOf(account) }));
    for (const { account, state } of encoded) {
      const { number: accountNumber, pending } = account;
      account.isDirty = false;
      account.pending = undefined;
      account.writing = pending;
      const hasHours = pending !== undefined && pending.hours.size + pending.corrections.length > 0;
      if (hasHours) account.hoursHaveChanged();
      slice.accounts.push({
        accountNumber,
        position: account.hold ? account.hold.position - 1 : backlog.position,
        hoursVersion: hasHours ? 1 : 0,
        park: undefined,
        ...state,
      });
      if (pending) addRecords(slice, accountNumber, pending);
      takeWatches(slice, account);
      if (backlog.released.has(account)) slice.released.push(accountNumber);
    }
    return slice;
  }

  #stateOf(account: TrackedAccount) {
    const { lastUtcMs, settleDueUtcMs, brokerClock: clock } = account;
    return {
      lastUtcMs: known(lastUtcMs),
      settleDueUtcMs: known(settleDueUtcMs),
      ...standingFigures(account),
      clock,
      state: encodeLiveAccount(account, this.#arena.take),
      recent: this.#recent.encode(account, this.#arena.take),
    };
  }
}

function addRecords(slice: Slice, accountNumber: number, pending: PendingRecords): void {
  const { hours, corrections, periods } = firstRecords(pending, Number.POSITIVE_INFINITY);
  for (const hour of hours) slice.hours.push({ ...hour, accountNumber });
  for (const correction of corrections) slice.corrections.push({ ...correction, accountNumber });
  for (const period of periods) slice.periods.push({ accountNumber, period });
  for (const trackerId of pending.removedTrackers) {
    slice.removedTrackers.push({ accountNumber, trackerId });
  }
}

/** Adds the snapshots recorded after breaches, and drops the watches that are complete. */
function takeWatches(slice: Slice, account: TrackedAccount): void {
  if (!account.watches) return;
  for (const watch of account.watches) {
    if (!watch.isDirty) continue;
    watch.isDirty = false;
    const { isDirty, after, ...event } = watch;
    slice.watched.push({
      ...{ accountNumber: account.number, ...event },
      after: bytesOfNumbers(Float64Array.from(after)),
      isOpen: !isComplete(watch),
    });
  }
  const open = account.watches.filter((watch) => !isComplete(watch));
  account.watches = open.length > 0 ? open : undefined;
}

const BLOCK_BYTES = 1024 * 1024;

/**
 * Memory for many small pieces that are released together. Allocating each by itself would fragment
 * the process' memory: the holes would take as much as the accounts themselves.
 */
class Arena {
  #block = new ArrayBuffer(0);
  #used = 0;

  /** Releases all pieces taken so far: their memory is used again. */
  reuse(): void {
    this.#used = 0;
  }

  /** A piece of `length` bytes, aligned for doubles; not cleared. */
  readonly take = (length: number): Uint8Array<ArrayBuffer> => {
    const room = Math.ceil(length / 8) * 8;
    if (this.#used + room > this.#block.byteLength) {
      this.#block = new ArrayBuffer(Math.max(room, BLOCK_BYTES));
      this.#used = 0;
    }
    const piece = new Uint8Array(this.#block, this.#used, length);
    this.#used += room;
    return piece;
  };
}
