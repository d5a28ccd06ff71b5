import type { BrokerTimeMs } from '../../domain/broker-time.ts';
import type { Deal } from '../../domain/deal.ts';
import type { Money } from '../../domain/money.ts';
import { accountMargin } from './account-margin.ts';
import { accountStateAt } from './account-state.ts';
import type { SimulatedBroker } from './broker.ts';
import { bookedDeals } from './deals.ts';

/** Snapshots of one call; longer stretches get wider steps. */
const MAX_SNAPSHOTS = 2_000;

/** An account's state at a moment; money in units of its currency. */
export type LiveSnapshot = {
  utcMs: number;
  brokerTimeMs: BrokerTimeMs;
  balance: Money;
  equity: Money;
  margin: Money;
  freeMargin: Money;
  credit: Money;
  /** Deals with effect on the account since the previous snapshot. */
  deals: Deal[];
};

/**
 * Snapshots of a login after `sinceUtcMs` up to `nowUtcMs`, `stepMs` apart or wider, so that there
 * are at most 2 000; the last one is of `nowUtcMs`. None for an unknown login.
 */
export async function liveSnapshots(
  broker: SimulatedBroker,
  login: number,
  sinceUtcMs: number,
  nowUtcMs: number,
  stepMs: number = 5_000,
): Promise<LiveSnapshot[]> {
  const account = broker.account(login);
  const ledger = await broker.ledger(login, nowUtcMs);
  if (!account || !ledger || nowUtcMs <= sinceUtcMs) return [];
  const booked = bookedDeals(ledger, broker.calendar);
  let next = booked.findIndex((each) => each.utcMs > sinceUtcMs);
  const step = Math.max(1, stepMs, Math.ceil((nowUtcMs - sinceUtcMs) / MAX_SNAPSHOTS));
  const snapshots: LiveSnapshot[] = [];
  for (let before = sinceUtcMs; before < nowUtcMs; ) {
    const utcMs = Math.min(nowUtcMs, before + step);
    const state = accountStateAt(ledger, broker.quotes, utcMs);
    const margin = accountMargin(broker, account, state);
    const { balance, equity, credit } = state;
    const deals: Deal[] = [];
    for (let each = booked[next]; each && each.utcMs <= utcMs; each = booked[next]) {
      deals.push(each.deal);
      next += 1;
    }
    const brokerTimeMs = broker.calendar.brokerTime(utcMs);
    const freeMargin = equity - margin;
    snapshots.push({ utcMs, brokerTimeMs, balance, equity, margin, freeMargin, credit, deals });
    before = utcMs;
  }
  return snapshots;
}
