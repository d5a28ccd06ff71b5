import { nightsBetween, pricePath, type SampleSymbol, tradingHours } from './market.ts';
import { createRandom, type Random } from './random.ts';

export type Fill = {
  timeMs: number;
  order: number;
  positionId: number;
  symbol: SampleSymbol;
  side: 'buy' | 'sell';
  entry: 'in' | 'out' | 'in/out' | 'out by';
  lots: number;
  price: number;
  profit: number;
  swap: number;
  commission: number;
  comment: string;
};

export type Position = {
  id: number;
  symbol: SampleSymbol;
  side: 'buy' | 'sell';
  openTimeMs: number;
  openPrice: number;
  lots: number;
  lotsLeft: number;
  stop: number;
  target: number;
  comment: string;
  fills: Fill[];
};

export type Operation = { timeMs: number; amount: number; type: string; comment: string };

export type Sample = {
  fills: Fill[];
  positions: Position[];
  operations: Operation[];
  endMs: number;
  /** Last price by symbol. */
  last: Map<string, number>;
};

export type SampleSettings = {
  seed: number;
  fromMs: number;
  endMs: number;
  symbols: readonly SampleSymbol[];
  /** Entries an hour, on average. */
  pace: number;
  lots: readonly number[];
  /** Share of entries that go with the coming move. */
  skill: number;
  commissionPerLotSide: number;
  moneyDigits: number;
  operations: readonly Operation[];
};

export const rounded = (value: number, digits: number): number =>
  Number((Math.round(Math.abs(value) * 10 ** digits) / 10 ** digits).toFixed(digits)) *
  (value < 0 ? -1 : 1);

/** A hedging account: entries with stop and target, partial closes, close-by, some left open. */
export function simulateHedging(settings: SampleSettings): Sample {
  const random = createRandom(settings.seed);
  const hours = tradingHours(settings.fromMs, settings.endMs);
  const paths = new Map(
    settings.symbols.map((symbol) => [symbol, pricePath(symbol, hours.length, random)]),
  );
  const positions: Position[] = [];
  const desk = createDesk(settings, random);
  for (const [index, hourMs] of hours.entries()) {
    const priceOf = (symbol: SampleSymbol) => paths.get(symbol)?.[index] ?? symbol.start;
    for (const position of positions) {
      if (position.lotsLeft > 0) tendPosition(position, hourMs, priceOf(position.symbol), desk);
    }
    if (index < hours.length - 2 && random.next() < settings.pace) {
      const symbol = random.pick(settings.symbols);
      const path = paths.get(symbol) ?? [];
      const later = path[Math.min(path.length - 1, index + 18)] ?? symbol.start;
      const rises = later > priceOf(symbol);
      const side = rises === random.next() < settings.skill ? 'buy' : 'sell';
      positions.push(desk.open(symbol, side, hourMs, priceOf(symbol)));
    }
  }
  const last = new Map(settings.symbols.map((s) => [s.name, paths.get(s)?.at(-1) ?? s.start]));
  const fills = positions.flatMap((position) => position.fills);
  fills.sort((a, b) => a.timeMs - b.timeMs || a.order - b.order);
  return { fills, positions, operations: [...settings.operations], endMs: settings.endMs, last };
}

type Desk = ReturnType<typeof createDesk>;

function createDesk(settings: SampleSettings, random: Random) {
  let order = 48_210_000 + random.whole(0, 9_999);
  const nextOrder = () => {
    order += random.whole(12, 60);
    return order;
  };
  const within = (hourMs: number) =>
    hourMs + random.whole(0, 59) * 60_000 + random.whole(0, 59_999);
  const seconds = (timeMs: number) => Math.floor(timeMs / 1000) * 1000;
  const commission = (lots: number) =>
    -rounded(lots * settings.commissionPerLotSide, settings.moneyDigits);
  return {
    random,
    seconds,
    within,
    open(symbol: SampleSymbol, side: 'buy' | 'sell', hourMs: number, near: number): Position {
      const openTimeMs = seconds(within(hourMs));
      const openPrice = rounded(near + symbol.hourly * 0.2 * random.normal(), symbol.digits);
      const lots = random.pick(settings.lots);
      const direction = side === 'buy' ? 1 : -1;
      const risk = symbol.hourly * random.whole(5, 11);
      const id = nextOrder();
      const comment = random.next() < 0.5 ? random.pick(['breakout', 'pullback', 'range']) : '';
      const common = { order: id, positionId: id, symbol, side, lots, comment };
      const opening: Fill = {
        ...common,
        ...{ timeMs: openTimeMs, entry: 'in', price: openPrice, profit: 0, swap: 0 },
        commission: commission(lots),
      };
      return {
        ...{ id, symbol, side, openTimeMs, openPrice, lots, lotsLeft: lots, comment },
        stop: rounded(openPrice - direction * risk, symbol.digits),
        target: rounded(openPrice + direction * risk * 1.4, symbol.digits),
        fills: [opening],
      };
    },
    close(position: Position, lots: number, timeMs: number, price: number, comment: string): void {
      const { symbol, side } = position;
      const direction = side === 'buy' ? 1 : -1;
      const at = rounded(price, symbol.digits);
      const nights = nightsBetween(position.openTimeMs, timeMs);
      const move = direction * (at - position.openPrice) * lots * symbol.lotValue(at);
      const order = nextOrder();
      position.lotsLeft = rounded(position.lotsLeft - lots, 2);
      position.fills.push({
        ...{ timeMs, order, positionId: position.id, symbol, lots, price: at, comment },
        ...{ side: side === 'buy' ? 'sell' : 'buy', entry: 'out' },
        profit: rounded(move, settings.moneyDigits),
        swap: rounded(nights * lots * symbol.swap[side === 'buy' ? 0 : 1], settings.moneyDigits),
        commission: commission(lots),
      });
    },
  };
}

function tendPosition(position: Position, hourMs: number, price: number, desk: Desk): void {
  if (hourMs <= position.openTimeMs) return;
  const { random } = desk;
  const timeMs = desk.seconds(desk.within(hourMs));
  const direction = position.side === 'buy' ? 1 : -1;
  const { stop, target, lotsLeft, symbol } = position;
  const shown = (level: number) => level.toFixed(symbol.digits);
  if ((price - stop) * direction <= 0)
    desk.close(position, lotsLeft, timeMs, stop, `[sl ${shown(stop)}]`);
  else if ((price - target) * direction >= 0)
    desk.close(position, lotsLeft, timeMs, target, `[tp ${shown(target)}]`);
  else {
    const chance = random.next();
    const half = Math.floor(lotsLeft * 50) / 100;
    if (chance < 0.012) desk.close(position, lotsLeft, timeMs, price, '');
    else if (chance < 0.024 && half > 0) desk.close(position, half, timeMs, price, '');
  }
}
