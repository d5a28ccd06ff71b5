import { nextTurn } from '../domain/loop-turns.ts';
import { type CountedTrade, isInPart, type TradePart } from '../domain/metrics/counted-trade.ts';
import {
  countTrade,
  createPartState,
  joinParts,
  type PartState,
} from '../domain/metrics/part-state.ts';
import { decodePart } from '../domain/metrics/part-state-codec.ts';
import type { Sql } from '../storage/database.ts';
import { readHistory } from '../storage/history-store.ts';
import { readParts } from '../storage/part-store.ts';
import { findPlace, readTradeColumns, TRADES_PER_CHUNK } from '../storage/trade-store.ts';
import {
  CHUNKS_PER_SEGMENT,
  type ListedValue,
  NONE,
  type StoredPart,
  storedPartOf,
  TRADES_PER_SEGMENT,
} from './part-segments.ts';

const CHUNKS_PER_READ = 8;
const SEGMENTS_PER_READ = 50;

/** Chunks or segments in a range of numbers. */
type Stretch = { from: number; to: number };

/**
 * The statistics of a part of an account's trades, in turns with other work: the stored figures of
 * complete segments, joined with those of the trades before and after; for a part that segments do
 * not have, from all trades. The result is useless if the trades change during the call.
 */
export async function readPart(
  sql: Sql,
  accountNumber: number,
  part: TradePart,
): Promise<PartState> {
  const places = await placesOf(sql, accountNumber, part);
  const stored = storedPartOf(part);
  const whole: Stretch = {
    from: Math.ceil(places.from / TRADES_PER_SEGMENT),
    to: Math.floor(places.to / TRADES_PER_SEGMENT),
  };
  let state = createPartState();
  const count = (trade: CountedTrade) => countTrade(state, trade);
  let chunk = Math.floor(places.from / TRADES_PER_CHUNK);
  const goTo = async (to: number): Promise<void> => {
    await goOver(sql, accountNumber, { from: chunk, to }, part, count);
    chunk = to;
  };
  for (let from = whole.from; stored && from < whole.to; from += SEGMENTS_PER_READ) {
    const some = { from, to: Math.min(whole.to, from + SEGMENTS_PER_READ) };
    const known = await statesOf(sql, accountNumber, stored, some);
    for (let number = some.from; number < some.to; number += 1) {
      const text = known.get(number);
      if (text === undefined) continue;
      await goTo(number * CHUNKS_PER_SEGMENT);
      if (text !== NONE) state = joinParts(state, decodePart(JSON.parse(text)));
      chunk += CHUNKS_PER_SEGMENT;
      if (number % 8 === 0) await nextTurn();
    }
  }
  await goTo(Math.ceil(places.to / TRADES_PER_CHUNK));
  return state;
}

/** Of some segments, the states of the part that answers a filter: see `StoredPart`. */
async function statesOf(
  sql: Sql,
  accountNumber: number,
  { listing, nameIn }: StoredPart,
  some: Stretch,
): Promise<Map<number, string>> {
  const lists = listing ? await readParts(sql, accountNumber, [listing], some) : [];
  const values = new Map(lists.map(({ segmentNumber, state }) => [segmentNumber, state]));
  const names = new Map<number, string>();
  for (let number = some.from; number < some.to; number += 1) {
    const list = values.get(number);
    const name = nameIn(list === undefined ? undefined : (JSON.parse(list) as ListedValue[]));
    if (name !== undefined) names.set(number, name);
  }
  const asked = [...new Set(names.values())].filter((name) => name !== NONE);
  const rows = asked.length === 0 ? [] : await readParts(sql, accountNumber, asked, some);
  const own = rows.filter(({ part, segmentNumber }) => names.get(segmentNumber) === part);
  return new Map([
    ...[...names].filter(([, name]) => name === NONE),
    ...own.map(({ segmentNumber, state }) => [segmentNumber, state] as const),
  ]);
}

/** Calls `take` with every trade of a part, in order, in turns with other work. */
export async function forEachTrade(
  sql: Sql,
  accountNumber: number,
  part: TradePart,
  take: (trade: CountedTrade) => void,
): Promise<void> {
  const { from, to } = await placesOf(sql, accountNumber, part);
  const chunks = {
    from: Math.floor(from / TRADES_PER_CHUNK),
    to: Math.ceil(to / TRADES_PER_CHUNK),
  };
  await goOver(sql, accountNumber, chunks, part, take);
}

/** The indexes in the history between which a part's range lies. */
async function placesOf(sql: Sql, accountNumber: number, part: TradePart): Promise<Stretch> {
  const { fromMs, toMs } = part;
  const { tradeCount } = await readHistory(sql, accountNumber);
  return {
    from: fromMs === undefined ? 0 : await findPlace(sql, accountNumber, fromMs),
    to: toMs === undefined ? tradeCount : await findPlace(sql, accountNumber, toMs),
  };
}

async function goOver(
  sql: Sql,
  accountNumber: number,
  { from, to }: Stretch,
  part: TradePart,
  take: (trade: CountedTrade) => void,
): Promise<void> {
  for (let chunk = from; chunk < to; chunk += CHUNKS_PER_READ) {
    const count = Math.min(CHUNKS_PER_READ, to - chunk);
    for (const columns of await readTradeColumns(sql, accountNumber, chunk, count)) {
      if (part.symbol !== undefined && !columns.has('symbol', part.symbol)) continue;
      for (let index = 0; index < columns.count; index += 1) {
        const trade = columns.at(index);
        if (isInPart(trade, part)) take(trade);
      }
    }
    await nextTurn();
  }
}
