import { isTradeDeal } from '../domain/deal.ts';
import type { CountedTrade, TradePart } from '../domain/metrics/counted-trade.ts';
import { isLong } from '../domain/metrics/counted-trade.ts';
import {
  countTrade,
  createPartState,
  magicKey,
  type PartState,
} from '../domain/metrics/part-state.ts';
import { encodePart } from '../domain/metrics/part-state-codec.ts';
import type { TradeColumns } from '../domain/metrics/trade-columns.ts';
import type { StoredSegment } from '../storage/part-store.ts';
import { TRADES_PER_CHUNK } from '../storage/trade-store.ts';

/** Full chunks of a segment: reading fewer trades is faster than joining states. */
export const CHUNKS_PER_SEGMENT = 16;
export const TRADES_PER_SEGMENT = CHUNKS_PER_SEGMENT * TRADES_PER_CHUNK;
/** Symbols, and experts, that a segment has separate parts for. */
const MAX_VALUES = 100;

const KINDS = ['symbol', 'side', 'magic'] as const;
type Kind = (typeof KINDS)[number];
export const ALL = 'all';

const nameOf = (kind: Kind, value: string): string => `${kind}:${value}`;

/**
 * The part of segments that matches a filter, apart from its range: `part`; and `kind`, a part
 * whose absence means that the segment may have such trades. Undefined if segments have no such
 * part.
 */
export function storedPartOf({
  symbol,
  side,
  magic,
  comment,
}: TradePart): { part: string; kind: string } | undefined {
  const asked = { symbol, side, magic: magic === undefined ? undefined : String(magic) };
  const kinds = KINDS.filter((kind) => asked[kind] !== undefined);
  const [kind] = kinds;
  if (comment !== undefined || kinds.length > 1) return undefined;
  return kind ? { kind, part: nameOf(kind, asked[kind] ?? '') } : { kind: ALL, part: ALL };
}

/** Contributions of a segment's trades to each of its parts. */
export async function segmentOf(
  number: number,
  chunks: readonly TradeColumns[],
  pause: () => Promise<unknown>,
): Promise<StoredSegment> {
  const all = createPartState();
  const states = new Map([[ALL, all]]);
  const values: Record<Kind, Set<string>> = {
    symbol: new Set(),
    side: new Set(),
    magic: new Set(),
  };
  const stateOf = (kind: Kind, value: string): PartState | undefined => {
    const known = states.get(nameOf(kind, value));
    values[kind].add(value);
    if (known || values[kind].size > MAX_VALUES) return known;
    const state = createPartState();
    states.set(nameOf(kind, value), state);
    return state;
  };
  for (const columns of chunks) {
    for (let index = 0; index < columns.count; index += 1) {
      const trade = columns.at(index);
      if (!isTradeDeal(trade)) continue;
      countTrade(all, trade);
      for (const kind of KINDS) {
        const state = stateOf(kind, keyOf(trade, kind));
        if (state) countTrade(state, trade);
      }
    }
    await pause();
  }
  const parts = [...states].map(([part, state]) => ({
    ...{ part, state: JSON.stringify(encodePart(state)) },
  }));
  const whole = KINDS.filter((kind) => values[kind].size <= MAX_VALUES);
  return { number, parts: [...parts, ...whole.map((kind) => ({ part: kind, state: '' }))] };
}

function keyOf(trade: CountedTrade, kind: Kind): string {
  if (kind === 'symbol') return trade.symbol ?? '';
  if (kind === 'magic') return magicKey(trade);
  return isLong(trade) ? 'buy' : 'sell';
}
