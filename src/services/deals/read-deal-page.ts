import type { StoredDealRecord } from '../../contract/operations/deals.ts';
import { moneyDigits } from '../../domain/money.ts';
import { listStoredDeals, type StoredDeal } from '../../storage/deal-store.ts';
import { importIds } from '../../storage/import-store.ts';
import { accessAccount } from '../accounts/access-account.ts';
import { readBrokerTimes } from '../broker-times.ts';
import type { Context, Principal } from '../context.ts';
import { invalidParameter } from '../errors.ts';
import { LoopSlice } from '../turns.ts';
import { presentDeal } from './present-deal.ts';

export type DealQuery = {
  /** Broker times as text, start inclusive, end exclusive. */
  startTime?: string | undefined;
  endTime?: string | undefined;
  /** `next` of the previous page. */
  after?: string | undefined;
  limit: number;
};

/** Read before others get a turn. */
const DEALS_PER_READ = 200;

type Place = { timeMs: number; id: string };

/** Stored deals, in order of time and id text. Throws `notFound`, `validation`. */
export async function readDealPage(
  context: Context,
  principal: Principal,
  accountId: string,
  { startTime, endTime, after, limit }: DealQuery,
): Promise<{ deals: StoredDealRecord[]; next?: string }> {
  const account = await accessAccount(context, principal, accountId);
  const { database } = context;
  const place = after === undefined ? startOf(startTime) : readPlace(after);
  const toMs =
    endTime === undefined ? Number.MAX_SAFE_INTEGER : readBrokerTimes({ endTime }).endTime;
  const stored: StoredDeal[] = [];
  const slice = new LoopSlice();
  while (stored.length < limit) {
    const most = Math.min(DEALS_PER_READ, limit - stored.length);
    const last = stored.at(-1) ?? place;
    const some = await listStoredDeals(database, account.number, last, toMs, most);
    stored.push(...some);
    if (some.length < most) break;
    if (slice.isOver) await slice.next();
  }
  const numbers = new Set(stored.flatMap(({ importNumber }) => importNumber ?? []));
  const ids = await importIds(database, [...numbers]);
  const digits = moneyDigits(account.currency);
  const deals = stored.map(({ importNumber, ...deal }): StoredDealRecord => {
    const importId = importNumber === undefined ? undefined : ids.get(importNumber);
    return { ...presentDeal(deal, digits), ...(importId === undefined ? {} : { importId }) };
  });
  const last = stored.at(-1);
  return last && stored.length === limit ? { deals, next: writePlace(last) } : { deals };
}

const startOf = (startTime: string | undefined): Place => ({
  timeMs:
    startTime === undefined ? Number.MIN_SAFE_INTEGER : readBrokerTimes({ startTime }).startTime,
  id: '',
});

const writePlace = ({ timeMs, id }: Place): string =>
  Buffer.from(`${timeMs} ${id}`).toString('base64url');

function readPlace(text: string): Place {
  const [, time, id] = /^(-?\d{1,16}) (.+)$/s.exec(Buffer.from(text, 'base64url').toString()) ?? [];
  if (time === undefined || id === undefined || id.includes('\0'))
    throw invalidParameter('after', 'must be the `next` of the previous page');
  return { timeMs: Number(time), id };
}
