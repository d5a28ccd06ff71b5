import { isTradeDeal } from '../domain/deal.ts';
import type { CountedTrade, TradePart } from '../domain/metrics/counted-trade.ts';
import { hasWords, isLong } from '../domain/metrics/counted-trade.ts';
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
/** Symbols, experts and stems of comments that a segment has separate parts for. */
const MAX_VALUES = 100;
/** Comments that are listed of a stem. */
const MAX_COMMENTS = 20;

const KINDS = ['symbol', 'side', 'magic', 'comment'] as const;
type Kind = (typeof KINDS)[number];
const ALL = 'all';

const nameOf = (kind: Kind, value: string): string => `${kind}:${value}`;

/** How the parts of a segment answer a filter, apart from its range. */
export type StoredPart = {
  /** The part whose state lists all values of the filter's kind in the segment. */
  listing?: string | undefined;
  /**
   * The part that has just the filter's trades: `none` if there are no such trades, undefined if
   * only the trades themselves tell. Takes the listed values, undefined if they are too many.
   */
  nameIn: (values: readonly ListedValue[] | undefined) => string | undefined;
};
/** A symbol, a side, an expert; or the stem of comments, which are null if they are too many. */
export type ListedValue = [value: string, comments: string[] | null];
export const NONE = 'none';

/** Undefined if segments have no such part. */
export function storedPartOf({ symbol, side, magic, comment }: TradePart): StoredPart | undefined {
  const asked = { symbol, side, magic: magic === undefined ? undefined : String(magic), comment };
  const kinds = KINDS.filter((kind) => asked[kind] !== undefined);
  const [kind] = kinds;
  if (kinds.length > 1) return undefined;
  if (!kind) return { nameIn: () => ALL };
  const value = asked[kind] ?? '';
  const isAsked = ([each, comments]: ListedValue) =>
    kind === 'comment' ? haveWords(each, comments, value) : each === value;
  return {
    listing: kind,
    nameIn(values) {
      // A comment that is not listed may have the words, too.
      if (!values) return kind === 'comment' ? undefined : nameOf(kind, value);
      const answers = values.map(isAsked);
      if (answers.includes(undefined)) return undefined;
      if (!answers.includes(false)) return ALL;
      const [first, ...others] = values.filter((_, place) => answers[place]);
      if (!first) return NONE;
      return others.length === 0 ? nameOf(kind, first[0]) : undefined;
    },
  };
}

/** Whether all comments of a stem have some words, or none; undefined if that is not known. */
function haveWords(stem: string, comments: string[] | null, words: string): boolean | undefined {
  if (hasWords({ comment: stem }, words)) return true;
  if (!comments) return undefined;
  const having = comments.filter((comment) => hasWords({ comment }, words));
  if (having.length === 0) return false;
  return having.length === comments.length || undefined;
}

/** What comments of one kind of trade share: `#30001 Grid 5 [sl]` has the stem `grid`. */
const stemOf = (comment: string): string =>
  comment
    .toLowerCase()
    .replace(/^#\d+\s*/, '')
    .replace(/\s*[[#\d].*$/s, '');

/** Contributions of a segment's trades to each of its parts. */
export async function segmentOf(
  number: number,
  chunks: readonly TradeColumns[],
  pause: () => Promise<unknown>,
): Promise<StoredSegment> {
  const all = createPartState();
  const states = new Map([[ALL, all]]);
  const values: Record<Kind, Set<string>> = {
    ...{ symbol: new Set(), side: new Set(), magic: new Set(), comment: new Set() },
  };
  const stateOf = (kind: Kind, value: string): PartState | undefined => {
    const known = states.get(nameOf(kind, value));
    values[kind].add(value);
    if (known || values[kind].size > MAX_VALUES) return known;
    const state = createPartState();
    states.set(nameOf(kind, value), state);
    return state;
  };
  const comments = new Map<string, Set<string>>();
  for (const columns of chunks) {
    for (const comment of columns.comments) {
      const stem = stemOf(comment);
      const known = comments.get(stem) ?? new Set();
      if (known.size <= MAX_COMMENTS) known.add(comment);
      comments.set(stem, known);
    }
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
  const listed = (stem: string): string[] | null => {
    const known = comments.get(stem);
    return known && known.size <= MAX_COMMENTS ? [...known] : null;
  };
  const whole = KINDS.filter((kind) => values[kind].size <= MAX_VALUES);
  const parts = [...states].map(([part, state]) => ({
    ...{ part, state: JSON.stringify(encodePart(state)) },
  }));
  const lists = whole.map((kind) => ({
    part: kind,
    state: JSON.stringify(
      [...values[kind]].map(
        (value): ListedValue => [value, kind === 'comment' ? listed(value) : []],
      ),
    ),
  }));
  // Parts of some comments are of no use: words may be in others, too.
  const isUsed = ({ part }: { part: string }): boolean =>
    whole.includes('comment') || !part.startsWith(nameOf('comment', ''));
  return { number, parts: [...parts.filter(isUsed), ...lists] };
}

function keyOf(trade: CountedTrade, kind: Kind): string {
  if (kind === 'symbol') return trade.symbol ?? '';
  if (kind === 'magic') return magicKey(trade);
  if (kind === 'comment') return stemOf(trade.comment ?? '');
  return isLong(trade) ? 'buy' : 'sell';
}
