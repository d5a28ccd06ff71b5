import type { BrokerClock } from '../domain/broker-time.ts';
import { BrokerClockView } from '../domain/live/broker-clock-view.ts';
import { restoreLiveAccount } from '../domain/live/live-account-codec.ts';
import type { TrackerRules } from '../domain/live/tracker-rule.ts';
import { moneyDigits } from '../domain/money.ts';
import { findAccounts } from '../storage/account-store.ts';
import type { Sql } from '../storage/database.ts';
import { readWatchedEvents, type WatchedEvent } from '../storage/event-store.ts';
import { readLiveAccounts } from '../storage/live-store.ts';
import { inSlices } from '../storage/sql-text.ts';
import { readDefinitions } from '../storage/tracker-store.ts';
import type { EntryAccount } from './entry-account.ts';
import { type CellMemory, LiveCell, numbersOfBytes } from './live-cell.ts';

/** One view a clock, shared by the accounts on it. */
export class ClockViews {
  readonly #views = new Map<string, BrokerClockView>();
  readonly #clocks = new Map<string, BrokerClock>();

  /** The same clock as one object for all accounts on it. */
  sharedClock(clock: BrokerClock): BrokerClock {
    const key = `${clock.zone} ${clock.shiftHours}`;
    const known = this.#clocks.get(key);
    if (known) return known;
    this.#clocks.set(key, clock);
    return clock;
  }

  viewOf(clock: BrokerClock): BrokerClockView {
    const key = `${clock.zone} ${clock.shiftHours}`;
    let view = this.#views.get(key);
    if (!view) {
      view = new BrokerClockView(clock);
      this.#views.set(key, view);
    }
    return view;
  }
}

/**
 * Reads accounts as of the last checkpoint, which is at `position`. Those that do not exist any more, or
 * are others of the same id, are left out. What the checkpoint does not know of a tracker yet comes
 * with the journal.
 */
export async function loadCells(
  sql: Sql,
  wanted: readonly Pick<EntryAccount, 'id' | 'createdAtMs'>[],
  position: number,
  parts: CellMemory & { clocks: ClockViews; rules: TrackerRules },
): Promise<LiveCell[]> {
  const ids = wanted.map(({ id }) => id);
  const found = await findAccounts(sql, ids);
  const existing = new Map(found.map((account) => [account.id, account]));
  const stored = new Map((await readLiveAccounts(sql, ids)).map((row) => [row.accountId, row]));
  const definitions = await readDefinitions(sql, ids);
  const watched = new Map<string, WatchedEvent[]>();
  await inSlices(ids, async (slice) => {
    for (const event of await readWatchedEvents(sql, slice, position)) {
      watched.set(event.accountId, [...(watched.get(event.accountId) ?? []), event]);
    }
  });
  const cells: LiveCell[] = [];
  for (const { id, createdAtMs } of wanted) {
    const now = existing.get(id);
    if (now?.createdAtMs !== createdAtMs) continue;
    const before = stored.get(id);
    const own = before?.createdAtMs === createdAtMs ? before : undefined;
    const brokerClock = parts.clocks.sharedClock(own?.clock ?? now.brokerClock);
    const facts = { createdAtMs, brokerClock, moneyDigits: moneyDigits(now.currency) };
    const cell = new LiveCell(id, facts, parts);
    if (own?.state) restoreLiveAccount(cell, own.state, definitions.get(id) ?? [], parts.rules);
    cell.watches = watched.get(id)?.map(watchOf);
    if (own?.recent) parts.recent.restore(cell, own.recent);
    cells.push(cell);
  }
  return cells;
}

const watchOf = ({ trackerId, startTimeMs, after }: WatchedEvent) => ({
  trackerId,
  startTimeMs,
  after: [...numbersOfBytes(after)],
  isDirty: false,
});
