import { type BrokerTimeMs, HOUR_MS, startOfHour } from '../domain/broker-time.ts';
import { isCredit, isTradeDeal } from '../domain/deal.ts';
import { correctBucket } from '../domain/live/equity-bucket.ts';
import { NEVER_AHEAD } from '../domain/live/fold-deals.ts';
import { FoldEffects } from '../domain/live/fold-effects.ts';
import { foldSnapshot } from '../domain/live/fold-snapshot.ts';
import { LiveAccount } from '../domain/live/live-account.ts';
import type { EquityBucket, LiveDeal } from '../domain/live/live-records.ts';
import { nextTurn } from '../domain/loop-turns.ts';
import type { Money } from '../domain/money.ts';
import type { Sql } from '../storage/database.ts';
import { findLastTrade, listDeals, sumDeals } from '../storage/deal-store.ts';
import { type SeedSource, StoredPages } from './seed-tracker.ts';

type Sum = { balance: Money; credit: Money };

/**
 * An account that never had a snapshot, as if each of its deals had been seen at once with nothing
 * open: its hours follow from the balances, and its equity is balance and credit. From `backMs`
 * before its last trade on. A journal that begins with a trade names no deposit: then `unnamed` is
 * the balance that it begins with. Undefined if there is no trade, or no balance to begin with.
 */
export async function seenByDeals(
  sql: Sql,
  source: SeedSource,
  backMs: number,
  unnamed?: Money,
): Promise<SeedSource | undefined> {
  const { accountNumber } = source;
  const lastMs = (await findLastTrade(sql, accountNumber, Number.MAX_SAFE_INTEGER))?.timeMs;
  if (lastMs === undefined) return undefined;
  const after = { timeMs: lastMs - backMs - 1, id: '\u{10ffff}' };
  const [first] = await listDeals(sql, accountNumber, after, 1);
  if (!first) return undefined;
  const before = await sumDeals(sql, accountNumber, first.timeMs);
  const isNamed = before.balance > 0 || !isTradeDeal(first);
  if (!isNamed && unnamed === undefined) return undefined;
  const sum = isNamed ? before : { balance: unnamed ?? 0, credit: 0 };
  const account = new LiveAccount(source.account.id, source.account.clock);
  const hours: EquityBucket[] = [];
  const lastHourMs = startOfHour(lastMs);
  for await (const page of new StoredPages(sql, source).dealsFrom(first.timeMs)) {
    for (const deal of page) {
      if (deal.timeMs > lastMs) continue;
      if (deal.timeMs < lastHourMs) {
        addToHours(hours, account.id, deal, sum);
        continue;
      }
      if (Number.isNaN(account.lastTimeMs)) seeNow(account, lastHourMs, sum);
      add(sum, deal);
      seeNow(account, deal.timeMs, sum);
    }
    await nextTurn();
  }
  // Long enough after the last deal that nothing about it is in doubt.
  seeNow(account, lastHourMs + HOUR_MS - 1, sum);
  return { ...source, account, fresh: { hours, corrections: [] } };
}

/** Adds a deal to the sum, and to its hour, which begins with the sum before. */
function addToHours(hours: EquityBucket[], accountId: string, deal: LiveDeal, sum: Sum): void {
  const startTimeMs = startOfHour(deal.timeMs);
  const seen = () => ({ accountId, startTimeMs, ...readingOf(sum) });
  let hour = hours.at(-1)?.startTimeMs === startTimeMs ? hours.pop() : undefined;
  hour ??= correctBucket(undefined, seen());
  add(sum, deal);
  const { balance: lastBalance, equity: lastEquity, ...rest } = seen();
  const whole = correctBucket(hour, { ...rest, balance: lastBalance, equity: lastEquity });
  hours.push({ ...whole, lastBalance, lastEquity, hasLateExtremes: false });
}

const readingOf = ({ balance, credit }: Sum) => ({ balance, equity: balance + credit });

/** The hour of the last trade is the account's running one: what the sum is at a moment of it. */
function seeNow(account: LiveAccount, timeMs: BrokerTimeMs, sum: Sum): void {
  const { balance, equity } = readingOf(sum);
  foldSnapshot(account, timeMs, balance, equity, [], NEVER_AHEAD, new FoldEffects());
}

function add(sum: Sum, deal: LiveDeal): void {
  if (isCredit(deal)) sum.credit += deal.money;
  else sum.balance += deal.money;
}
