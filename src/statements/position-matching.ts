import type { Deal } from '../domain/deal.ts';
import type { Money, Volume } from '../domain/money.ts';
import { MATCH_CANDIDATES_MAX } from './limits.ts';
import { forEachPaced, type Pace } from './pace.ts';

/** A row of the report's table of closed positions, or of open ones (no close time). */
export type ListedPosition = {
  id: string;
  symbol: string;
  side: 'DEAL_TYPE_BUY' | 'DEAL_TYPE_SELL';
  volume: Volume;
  openTimeMs: number;
  closeTimeMs?: number | undefined;
  closePrice?: number | undefined;
  profit: Money;
  swap: Money;
};

/** A trade deal and the order that it came from; reports list no position ids for deals. */
export type OrderedDeal = { deal: Deal; order: string };

export type Matching = {
  positionIds: (string | undefined)[];
  /** Closed part of IN/OUT deals, by index. */
  closedVolumes: Map<number, Volume>;
  /** Closing deals that several positions fitted equally. */
  ambiguous: OrderedDeal[];
  /** Closing deals whose position's entry is not in the report. */
  unlisted: OrderedDeal[];
};

type Candidate = {
  id: string;
  openMs: number;
  openPrice: number;
  closeMs: number;
  remaining: Volume;
};

/** Positions of one symbol and side, the oldest first, spent ones among them until they are sifted out. */
type Queue = { live: Candidate[]; spent: number; sifted: boolean };
type BySide = Map<string, Queue>;

/**
 * Hedging accounts. An entry's position has its order's number. An exit belongs to the listed position
 * that closed at that second, price and volume; what is left goes to positions of the symbol and side
 * that were open then and large enough, the oldest first.
 */
export async function matchHedging(
  deals: readonly OrderedDeal[],
  closed: readonly ListedPosition[],
  open: readonly ListedPosition[],
  pace: Pace,
): Promise<Matching> {
  const result = emptyMatching(deals.length);
  const candidates = await collectCandidates(deals, closed, open, result, pace);
  const exact = new Map<string, ListedPosition[]>();
  await forEachPaced(closed, pace, MATCHING_SHARE, (position) => {
    pushTo(exact, exactKey(position), position);
  });
  const rest: number[] = [];
  const rates = new Map<string, number>();
  await forEachPaced(deals, pace, MATCHING_SHARE, (item, index) => {
    if (item.deal.entry === 'DEAL_ENTRY_IN') return;
    const found = takeExact(exact.get(dealKey(item.deal)), item.deal);
    if (!found) {
      rest.push(index);
      return;
    }
    if (found.tied) result.ambiguous.push(item);
    result.positionIds[index] = found.id;
    const candidate = candidates.byId.get(found.id);
    if (candidate) {
      candidate.remaining = 0;
      if (!found.tied) learnRate(candidate, item.deal, rates);
    } else result.unlisted.push(item);
  });
  await forEachPaced(rest, pace, MATCHING_SHARE, (index) => {
    matchByFit(index, deals, candidates.bySide, rates, result);
  });
  return result;
}

const MATCHING_SHARE = { from: 0.92, to: 0.96 };
const SPENT_MAX = 256;

export const emptyMatching = (count: number): Matching => ({
  positionIds: new Array<string | undefined>(count).fill(undefined),
  closedVolumes: new Map(),
  ambiguous: [],
  unlisted: [],
});

const opposite = (type: Deal['type']) =>
  type === 'DEAL_TYPE_BUY' ? 'DEAL_TYPE_SELL' : 'DEAL_TYPE_BUY';
const exactKey = (p: ListedPosition) =>
  `${p.symbol}|${p.side}|${p.closeTimeMs}|${p.closePrice}|${p.volume}`;
const dealKey = (d: Deal) => `${d.symbol}|${opposite(d.type)}|${d.timeMs}|${d.price}|${d.volume}`;

function pushTo<Value>(map: Map<string, Value[]>, key: string, value: Value): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

async function collectCandidates(
  deals: readonly OrderedDeal[],
  closed: readonly ListedPosition[],
  open: readonly ListedPosition[],
  result: Matching,
  pace: Pace,
) {
  const closeTimes = new Map(closed.map((position) => [position.id, position.closeTimeMs]));
  const stillOpen = new Map(open.map((position) => [position.id, position.volume]));
  const byId = new Map<string, Candidate>();
  const bySide: BySide = new Map();
  await forEachPaced(deals, pace, MATCHING_SHARE, ({ deal, order }, index) => {
    if (deal.entry !== 'DEAL_ENTRY_IN') return;
    result.positionIds[index] = order || deal.id;
    const known = byId.get(order);
    if (known && order) {
      known.remaining += deal.volume;
      return;
    }
    const candidate = {
      id: order || deal.id,
      openMs: deal.timeMs,
      openPrice: deal.price ?? 0,
      closeMs: closeTimes.get(order) ?? Number.POSITIVE_INFINITY,
      remaining: deal.volume,
    };
    byId.set(candidate.id, candidate);
    const key = `${deal.symbol}|${deal.type}`;
    const queue = bySide.get(key);
    if (queue) queue.live.push(candidate);
    else bySide.set(key, { live: [candidate], spent: 0, sifted: false });
  });
  for (const [id, volume] of stillOpen) {
    const candidate = byId.get(id);
    if (candidate) candidate.remaining = Math.max(0, candidate.remaining - volume);
  }
  return { byId, bySide };
}

function takeExact(
  list: ListedPosition[] | undefined,
  deal: Deal,
): { id: string; tied: boolean } | undefined {
  if (!list || list.length === 0) return undefined;
  const within = list.slice(0, MATCH_CANDIDATES_MAX);
  const sameMoney = within.filter((p) => p.profit === deal.profit && p.swap === deal.swap);
  const pool = sameMoney.length > 0 ? sameMoney : within;
  const first = pool[0];
  if (!first) return undefined;
  list.splice(list.indexOf(first), 1);
  return { id: first.id, tied: pool.some((p) => p.openTimeMs !== first.openTimeMs) };
}

function matchByFit(
  index: number,
  deals: readonly OrderedDeal[],
  bySide: BySide,
  rates: Map<string, number>,
  result: Matching,
): void {
  const item = deals[index];
  if (!item) return;
  const { deal, order } = item;
  const queue = bySide.get(`${deal.symbol}|${opposite(deal.type)}`);
  if (queue) sift(queue);
  const list = queue?.live ?? [];
  const fits: Candidate[] = [];
  for (let at = 0; at < list.length && at < MATCH_CANDIDATES_MAX + SPENT_MAX; at++) {
    const candidate = list[at];
    if (!candidate || candidate.openMs > deal.timeMs) break;
    if (canClose(candidate, deal)) fits.push(candidate);
  }
  const closing = fits.filter((c) => c.closeMs === deal.timeMs && c.remaining === deal.volume);
  const pool = narrow(closing.length > 0 ? closing : fits, deal, rates);
  const chosen = pool[0];
  if (!chosen) {
    result.unlisted.push(item);
    result.positionIds[index] = order || deal.id;
    return;
  }
  if (pool.some((candidate) => candidate.openMs !== chosen.openMs)) result.ambiguous.push(item);
  if (pool.length === 1) learnRate(chosen, deal, rates);
  chosen.remaining -= deal.volume;
  if (queue && chosen.remaining === 0) queue.spent += 1;
  result.positionIds[index] = chosen.id;
}

/** A position's last exit comes at its close time and leaves nothing; any before that leaves something. */
function canClose(position: Candidate, deal: Deal): boolean {
  const { closeMs, remaining } = position;
  if (closeMs === Number.POSITIVE_INFINITY) return remaining >= deal.volume;
  return closeMs === deal.timeMs
    ? remaining >= deal.volume
    : closeMs > deal.timeMs && remaining > deal.volume;
}

/** Profit of a lot for a price move of 1, learned from deals that fit one position only. */
function learnRate(position: Candidate, deal: Deal, rates: Map<string, number>): void {
  const move = signedMove(position, deal) * deal.volume;
  if (move !== 0 && Math.abs(deal.profit) >= RATE_PROFIT_MIN)
    rates.set(deal.symbol ?? '', deal.profit / move);
}

/** Keeps the positions whose open price explains the deal's profit; all, when none or nothing is known. */
function narrow(fits: Candidate[], deal: Deal, rates: Map<string, number>): Candidate[] {
  if (fits.length < 2) return fits;
  const rate = rates.get(deal.symbol ?? '');
  const explained = fits.filter((position) => {
    const expected = (rate ?? 0) * signedMove(position, deal) * deal.volume;
    return Math.abs(expected - deal.profit) <= Math.abs(deal.profit) * 0.01;
  });
  if (rate !== undefined && explained.length > 0) return explained;
  const whole = fits.filter(({ remaining }) => remaining === deal.volume);
  return whole.length === 1 ? whole : fits;
}

const signedMove = (position: Candidate, deal: Deal): number =>
  ((deal.price ?? 0) - position.openPrice) * (deal.type === 'DEAL_TYPE_SELL' ? 1 : -1);

/** Smaller profits are rounded too coarsely to learn from. */
const RATE_PROFIT_MIN = 10_000;

/** Takes spent positions out now and then, so that a long history stays quick to search. */
function sift(queue: Queue): void {
  if (queue.sifted && queue.spent < SPENT_MAX) return;
  queue.live = queue.live.filter((candidate) => candidate.remaining > 0);
  queue.sifted = true;
  queue.spent = 0;
}
