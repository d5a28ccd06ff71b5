import type { Deal } from '../../domain/deal.ts';
import { toUnits, toVolume, type Volume } from '../../domain/money.ts';
import { type HistorySymbol, seeded } from './histories.fixture.ts';
import type { OrderedDeal } from './matching.ts';

export type NettingHistory = {
  deals: OrderedDeal[];
  /** Position of each deal. */
  truth: string[];
  /** Closed part of reversals, by deal. */
  closedVolumes: Map<string, Volume>;
};

const DECIMALS = 4;
const round = (value: number, digits: number) => Number(value.toFixed(digits));

type Held = { id: string; signed: number; price: number };

/**
 * An account with one position of a symbol: additions, complete and partial exits, and reversals.
 */
export function nettingHistory(
  seed: number,
  count: number,
  symbols: readonly HistorySymbol[],
  withReversals: boolean,
): NettingHistory {
  const random = seeded(seed);
  const held = new Map<HistorySymbol, Held>();
  const prices = new Map(symbols.map((symbol) => [symbol, symbol.start]));
  const history: NettingHistory = { deals: [], truth: [], closedVolumes: new Map() };
  let timeMs = Date.UTC(2025, 0, 6, 9);
  for (let made = 0; made < count; made++) {
    timeMs += Math.floor(random() * 3) * 1_000;
    const symbol = symbols[Math.floor(random() * symbols.length)] as HistorySymbol;
    const last = prices.get(symbol) ?? symbol.start;
    const step = Math.round((random() - 0.5) * 2 * symbol.ticks) * 10 ** -symbol.digits;
    const price = round(last + step - (last - symbol.start) * 0.002, symbol.digits);
    prices.set(symbol, price);
    const order = String(1_000 + made);
    const known = held.get(symbol);
    const before = known && known.signed !== 0 ? known : { id: order, signed: 0, price };
    const isBuy = random() < 0.5;
    const opposes = before.signed !== 0 && before.signed > 0 !== isBuy;
    const open = Math.abs(before.signed);
    const wanted = round(Math.ceil(random() * 5) / 10, 1);
    const lots = opposes && !withReversals ? Math.min(wanted, open) : wanted;
    const closed = opposes ? Math.min(lots, open) : 0;
    const direction = before.signed > 0 ? 1 : -1;
    const profit = round(
      direction * (price - before.price) * closed * symbol.worth(price, made),
      2,
    );
    const entry =
      closed === 0 ? 'DEAL_ENTRY_IN' : lots > closed ? 'DEAL_ENTRY_INOUT' : 'DEAL_ENTRY_OUT';
    const deal: Deal = {
      ...{ id: String(5_000_000 + made), timeMs, symbol: symbol.name, price, entry },
      ...{ type: isBuy ? 'DEAL_TYPE_BUY' : 'DEAL_TYPE_SELL', volume: toVolume(lots) },
      ...{ profit: toUnits(profit, DECIMALS), swap: 0, commission: 0, fee: 0 },
    };
    history.deals.push({ deal, order });
    history.truth.push(before.id);
    if (entry === 'DEAL_ENTRY_INOUT') history.closedVolumes.set(deal.id, toVolume(closed));
    held.set(symbol, after(before, isBuy ? lots : -lots, price));
  }
  return history;
}

/** The average price changes with additions, and starts again on the other side. */
function after({ id, signed, price: average }: Held, change: number, price: number): Held {
  const total = round(signed + change, 2);
  if (signed === 0 || signed > 0 === change > 0)
    return { id, signed: total, price: (average * signed + price * change) / total };
  return { id, signed: total, price: total !== 0 && total > 0 !== signed > 0 ? price : average };
}
