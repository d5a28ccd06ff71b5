import type { FlatContext } from './flat-context.ts';
import { moveOf } from './profit-basis.ts';
import type { TradeRow } from './trade-rows.ts';

/** If this many trades all contradict the sides, those are the sides of the closing deals. */
const TRADES_MIN = 3;
const FEW = 0.1;

/**
 * Compares the sides with prices and profits: a purchase earns when the price rises. If all trades
 * contradict that, the file lists the sides of the closing deals.
 */
export function settleSides(trades: TradeRow[], { warnings }: FlatContext): void {
  let [fitting, opposed] = [0, 0];
  for (const trade of trades) {
    const move = moveOf(trade);
    if (move === undefined || trade.profit === 0) continue;
    if (Math.sign(move) === Math.sign(trade.profit)) fitting += 1;
    else opposed += 1;
  }
  const all = fitting + opposed;
  if (all === 0) return;
  if (opposed <= FEW * all) {
    warnings.reading('sides', 'of the opening', 'proved');
    return;
  }
  const isClosing = fitting <= FEW * all && all >= TRADES_MIN;
  const told = `Prices and profits have opposite signs in ${opposed} of ${all} trades`;
  if (!isClosing) {
    warnings.reading(
      'sides',
      'of the opening',
      'contradicted',
      `${told}: sides or prices are wrong`,
    );
    return;
  }
  const effect =
    'the sides were read as those of the closing deals, so long and short are exchanged';
  warnings.reading('sides', 'of the closing', 'assumed', `${told}: ${effect}`);
  for (const trade of trades) trade.isBuy = !trade.isBuy;
}
