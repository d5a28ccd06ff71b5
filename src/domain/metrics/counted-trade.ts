import type { ClosedSide } from '../../words/accounts.ts';
import { isTradeDeal } from '../deal.ts';
import type { Trade } from '../trade.ts';

/** What statistics count of a line of the history: of a closed position, or of an operation. */
export type CountedTrade = Pick<Trade, 'id' | 'type' | 'volume' | 'openTimeMs' | 'closeTimeMs'> &
  Pick<Trade, 'symbol' | 'magic' | 'comment' | 'pips' | 'risk' | 'reward' | 'incomplete'> &
  Pick<Trade, 'profit' | 'swap' | 'commission' | 'fee' | 'closeBalance'>;

export const isLong = ({ type }: Pick<CountedTrade, 'type'>): boolean => type === 'DEAL_TYPE_BUY';

/** A part of the trades of an account: those for which all holds that is stated. */
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

/** The range is told by the times alone, so that a reader can leave out what lies outside. */
export function isInPart(trade: CountedTrade, part: TradePart): boolean {
  const { fromMs = -Infinity, toMs = Infinity, symbol, side, magic, comment } = part;
  return (
    isTradeDeal(trade) &&
    trade.closeTimeMs >= fromMs &&
    trade.closeTimeMs < toMs &&
    (symbol === undefined || trade.symbol === symbol) &&
    (side === undefined || (side === 'buy') === isLong(trade)) &&
    (magic === undefined || trade.magic === magic) &&
    (comment === undefined || (trade.comment ?? '').toLowerCase().includes(comment.toLowerCase()))
  );
}
