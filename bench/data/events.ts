import { deleteClaim, insertClaims } from '../../src/storage/claim-store.ts';
import type { Database } from '../../src/storage/database.ts';
import { type FoundEvent, storeEvents } from '../../src/storage/event-store.ts';
import { copyRows, learnSizes } from './copies.ts';
import type { BenchAccount } from './user.ts';

const FIRST_EVENT_MS = Date.UTC(2020, 0, 1);

/** The others are of profit targets. */
export const DRAWDOWNS = 100;

/**
 * Stores numbered events, one a second, of whose account SQL says in which `i` counts from 1: the
 * first are drawdowns, all but the newest acknowledged, and all sealed.
 */
export async function storeManyEvents(
  database: Database,
  { id, number }: BenchAccount,
  count: number,
  accountNumber: string,
): Promise<void> {
  const found: FoundEvent = {
    ...{ accountNumber: number, moneyDigits: 4, position: 0, ordinal: 0, isOver: false },
    beforeBreach: new Uint8Array(),
    event: {
      ...{ accountId: id, trackerId: 'tracker', period: 'day', startTimeMs: 0 },
      ...{ timeMs: FIRST_EVENT_MS, exceededThresholdType: 'drawdown' },
      ...{ absoluteDrawdown: 1, relativeDrawdown: 0.1, absoluteProfit: 0, relativeProfit: 0 },
      ...{ allowed: 0, inclusive: false, baseline: 1, initialBalance: 1, balance: 1 },
      ...{ equity: 0, adjustment: 0, round: 0 },
    },
  };
  const [claim] = await database.transaction((tx) => insertClaims(tx, 'partition', ['0'], 'bench'));
  if (!claim) throw new Error('Another process folds partition 0');
  await storeEvents(database, 0, claim.fence, [found], Date.now());
  await database.transaction((tx) => deleteClaim(tx, claim.fence));
  await copyRows(database, 'tracker_event', 'sequence_number = 1', count - 1, {
    ...{ account_number: accountNumber, start_time_ms: 'i', sequence_number: '1 + i' },
    ...{ time_ms: `${FIRST_EVENT_MS} + 1000 * i`, watched: '0' },
    kind: `case when i < ${DRAWDOWNS} then 'drawdown' else 'profit' end`,
    acknowledged_at_ms: `case when i < ${count - 100} then 1 end`,
  });
  for (const head of ['event_head', 'seal_head', 'webhook_feed'])
    await database.run(`update ${head} set last_number = $1`, [count]);
  await learnSizes(database);
}
