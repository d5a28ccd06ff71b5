import { nightsBetween, pricePath, type SampleSymbol, tradingHours } from './market.ts';
import { createRandom } from './random.ts';
import { type Fill, rounded, type Sample, type SampleSettings } from './trading.ts';

type Holding = { id: number; signed: number; price: number; sinceMs: number };

/** A netting account: one position of a symbol, with additions, partial exits and reversals. */
export function simulateNetting(settings: SampleSettings): Sample {
  const random = createRandom(settings.seed);
  const hours = tradingHours(settings.fromMs, settings.endMs);
  const { moneyDigits } = settings;
  const fills: Fill[] = [];
  const holdings = new Map<SampleSymbol, Holding>();
  const last = new Map<string, number>();
  let order = 7_300_000;
  const paths = settings.symbols.map((symbol) => ({
    symbol,
    path: pricePath(symbol, hours.length, random),
  }));
  for (const [index, hourMs] of hours.entries())
    for (const { symbol, path } of paths) {
      const now = path[index] ?? symbol.start;
      last.set(symbol.name, now);
      if (random.next() >= settings.pace) continue;
      const later = path[Math.min(path.length - 1, index + 20)] ?? now;
      const isBuy = later > now === random.next() < settings.skill;
      const price = rounded(now + symbol.hourly * 0.1 * random.normal(), symbol.digits);
      const timeMs = hourMs + random.whole(0, 3_599) * 1000;
      order += random.whole(1, 30);
      const held = holdings.get(symbol) ?? { id: order, signed: 0, price, sinceMs: timeMs };
      const position = held.signed === 0 ? { id: order, signed: 0, price, sinceMs: timeMs } : held;
      const lots = random.pick(settings.lots);
      fills.push(fillOf(position, { symbol, isBuy, lots, price, timeMs, order }, moneyDigits));
      holdings.set(symbol, after(position, isBuy ? lots : -lots, price, timeMs));
    }
  fills.sort((a, b) => a.timeMs - b.timeMs || a.order - b.order);
  const positions = [...holdings].flatMap(([symbol, held]) =>
    held.signed === 0 ? [] : [openPosition(symbol, held)],
  );
  return { fills, positions, operations: [...settings.operations], endMs: settings.endMs, last };
}

type Trade = {
  symbol: SampleSymbol;
  isBuy: boolean;
  lots: number;
  price: number;
  timeMs: number;
  order: number;
};

function fillOf(held: Holding, trade: Trade, moneyDigits: number): Fill {
  const { symbol, isBuy, lots, price, timeMs, order } = trade;
  const opposes = held.signed !== 0 && held.signed > 0 !== isBuy;
  const closed = opposes ? Math.min(lots, Math.abs(held.signed)) : 0;
  const direction = held.signed > 0 ? 1 : -1;
  const nights = nightsBetween(held.sinceMs, timeMs);
  const swap = nights * closed * symbol.swap[held.signed > 0 ? 0 : 1];
  return {
    ...{ timeMs, order, positionId: held.id, symbol, lots, price, comment: '' },
    side: isBuy ? 'buy' : 'sell',
    entry: !opposes ? 'in' : lots > closed ? 'in/out' : 'out',
    profit: rounded(
      direction * (price - held.price) * closed * symbol.lotValue(price),
      moneyDigits,
    ),
    swap: rounded(swap, moneyDigits),
    commission: -rounded(lots * 350, moneyDigits),
  };
}

function after(held: Holding, signed: number, price: number, timeMs: number): Holding {
  const total = rounded(held.signed + signed, 2);
  if (held.signed === 0 || Math.sign(held.signed) === Math.sign(signed)) {
    const average = (held.price * held.signed + price * signed) / total;
    return { ...held, signed: total, price: average };
  }
  const reversed = total !== 0 && Math.sign(total) !== Math.sign(held.signed);
  return reversed
    ? { id: held.id, signed: total, price, sinceMs: timeMs }
    : { ...held, signed: total };
}

const openPosition = (symbol: SampleSymbol, held: Holding) => ({
  ...{ id: held.id, symbol, openTimeMs: held.sinceMs, lots: Math.abs(held.signed) },
  ...{ side: held.signed > 0 ? ('buy' as const) : ('sell' as const), stop: 0, target: 0 },
  ...{ openPrice: rounded(held.price, symbol.digits), lotsLeft: Math.abs(held.signed) },
  ...{ comment: '', fills: [] },
});
