import type { ClosedSide } from '../../words/accounts.ts';
import { isTradeDeal } from '../deal.ts';
import type { Trade } from '../trade.ts';

/** The part of a history line that statistics count: a closed position, or an operation. */
export type CountedTrade = Pick<Trade, 'id' | 'type' | 'volume' | 'openTimeMs' | 'closeTimeMs'> &
  Pick<Trade, 'symbol' | 'magic' | 'comment' | 'pips' | 'risk' | 'reward' | 'marketValue'> &
  Pick<Trade, 'profit' | 'swap' | 'commission' | 'fee' | 'closeBalance' | 'incomplete'>;

export const isLong = ({ type }: Pick<CountedTrade, 'type'>): boolean => type === 'DEAL_TYPE_BUY';

/** A filter of an account's trades: all stated conditions must hold. */
export type TradePart = {
  /** fromMs ≤ close time < toMs. */
  fromMs?: number | undefined;
  toMs?: number | undefined;
  symbol?: string | undefined;
  side?: ClosedSide | undefined;
  magic?: number | undefined;
  /** Part of the comment, in any case. */
  comment?: string | undefined;
};

/** Whether a comment has some words, in any case. */
export const hasWords = ({ comment = '' }: Pick<CountedTrade, 'comment'>, words: string): boolean =>
  comment.toLowerCase().includes(words.toLowerCase());

/** The range depends on the times alone, so that a reader can skip trades outside of it. */
export function isInPart(trade: CountedTrade, part: TradePart): boolean {
  const { fromMs = -Infinity, toMs = Infinity, symbol, side, magic, comment } = part;
  return (
    isTradeDeal(trade) &&
    trade.closeTimeMs >= fromMs &&
    trade.closeTimeMs < toMs &&
    (symbol === undefined || trade.symbol === symbol) &&
    (side === undefined || (side === 'buy') === isLong(trade)) &&
    (magic === undefined || trade.magic === magic) &&
    (comment === undefined || hasWords(trade, comment))
  );
}
