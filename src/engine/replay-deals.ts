import type { BrokerTimeMs } from '../domain/broker-time.ts';
import { isCredit, isTradeDeal } from '../domain/deal.ts';
import { foldDeals } from '../domain/live/fold-deals.ts';
import type { FoldEffects } from '../domain/live/fold-effects.ts';
import { foldSnapshot } from '../domain/live/fold-snapshot.ts';
import type { LiveAccount } from '../domain/live/live-account.ts';
import type { LiveDeal } from '../domain/live/live-records.ts';
import { nextTurn } from '../domain/loop-turns.ts';
import type { Money } from '../domain/money.ts';
import type { Sql } from '../storage/database.ts';
import { findLastTrade, listDeals, sumDeals } from '../storage/deal-store.ts';
import { type SeedSource, StoredPages } from './seed-tracker.ts';

/** No replayed moment is too far ahead of its receipt. */
const NEVER_AHEAD = Number.POSITIVE_INFINITY;

/** What an account without snapshots is known by. */
export type DealHistory = {
  firstMs: BrokerTimeMs;
  lastMs: BrokerTimeMs;
  /** What the deals before made; undefined if they do not begin with money, as in journals. */
  opening: { balance: Money; credit: Money } | undefined;
};

/** The deals of an account up to so long before its last trade; undefined if there is none. */
export async function findDealHistory(
  sql: Sql,
  accountNumber: number,
  { backMs, sinceMs = 0 }: { backMs: number; sinceMs?: BrokerTimeMs | undefined },
): Promise<DealHistory | undefined> {
  const lastMs = (await findLastTrade(sql, accountNumber, Number.MAX_SAFE_INTEGER))?.timeMs;
  if (lastMs === undefined) return undefined;
  const after = { timeMs: Math.max(lastMs - backMs, sinceMs) - 1, id: '\u{10ffff}' };
  const [first] = await listDeals(sql, accountNumber, after, 1);
  if (!first) return undefined;
  const opening = await sumDeals(sql, accountNumber, first.timeMs);
  const hasMoney = opening.balance > 0 || !isTradeDeal(first);
  return { firstMs: first.timeMs, lastMs, opening: hasMoney ? opening : undefined };
}

/**
 * Folds the deals of a history into a new account as if each had been seen at once, with nothing
 * open: the equity is the balance and the credit, because what was open meanwhile is not known.
 * Ends with the first end of an enrolment. Works in pages, with other work in between.
 */
export async function replayDeals(
  sql: Sql,
  source: SeedSource,
  { firstMs, opening }: DealHistory,
  account: LiveAccount,
  effects: FoldEffects,
): Promise<void> {
  let { balance, credit } = opening ?? { balance: 0, credit: 0 };
  const see = (timeMs: BrokerTimeMs): void => {
    if (balance === 0 && credit === 0) return;
    foldSnapshot(account, timeMs, balance, balance + credit, [], NEVER_AHEAD, effects);
  };
  for await (const page of new StoredPages(sql, source).dealsFrom(firstMs)) {
    for (const deals of ofOneTime(page)) {
      const [{ timeMs }] = deals;
      // A day or period that begins between two deals begins with the balance before.
      see(timeMs - 1);
      foldDeals(account, deals, NEVER_AHEAD, effects);
      for (const deal of deals) {
        if (isCredit(deal)) credit += deal.money;
        else balance += deal.money;
      }
      see(timeMs);
      if (effects.transitions.length > 0) return;
    }
    await nextTurn();
  }
}

function ofOneTime(deals: readonly LiveDeal[]): [LiveDeal, ...LiveDeal[]][] {
  const groups: [LiveDeal, ...LiveDeal[]][] = [];
  for (const deal of deals) {
    const last = groups.at(-1);
    if (last?.[0].timeMs === deal.timeMs) last.push(deal);
    else groups.push([deal]);
  }
  return groups;
}
