import type { Deal } from '../../domain/deal.ts';
import { toUnits, toVolume } from '../../domain/money.ts';
import type { ListedPosition, OrderedDeal } from './matching.ts';

/** A small seeded generator (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export type HistorySettings = {
  seed: number;
  deals: number;
  /** Printed digits of the account's currency. */
  moneyDigits: 0 | 2;
  lots: readonly number[];
  maxOpen: number;
  symbols: readonly HistorySymbol[];
  /** Most seconds between two moments; 0 puts everything into one second. */
  pauseSeconds: number;
  withCloseBy: boolean;
};

export type HistorySymbol = {
  name: string;
  digits: number;
  start: number;
  /** Most ticks that the price moves between two moments. */
  ticks: number;
  /** Money of a lot and a move of 1, by closing price and moment. */
  worth: (price: number, moment: number) => number;
};

export const SYMBOLS = {
  quoted: { name: 'EURUSD', digits: 5, start: 1.1, ticks: 60, worth: () => 100_000 },
  based: { name: 'USDCHF', digits: 5, start: 0.9, ticks: 50, worth: (price) => 100_000 / price },
  crossing: {
    ...{ name: 'EURGBP', digits: 5, start: 0.86, ticks: 40 },
    worth: (_, moment) => 100_000 * (1.27 + 0.04 * Math.sin(moment / 3_000)),
  },
  odd: { name: 'WHEAT', digits: 2, start: 612.5, ticks: 90, worth: () => 37.5 },
  metal: { name: 'XAUUSD', digits: 2, start: 2_300, ticks: 80, worth: () => 100 },
} satisfies Record<string, HistorySymbol>;

export type History = {
  deals: OrderedDeal[];
  /** Position of each deal. */
  truth: string[];
  closed: ListedPosition[];
  open: ListedPosition[];
};

type Held = {
  id: string;
  symbol: HistorySymbol;
  side: ListedPosition['side'];
  lots: number;
  left: number;
  timeMs: number;
  price: number;
  exits: Deal[];
};

const DECIMALS = 4;
const round = (value: number, digits: number) => Number(value.toFixed(digits));

/** A hedging account that opens, closes whole and in part, at once and by an opposite position. */
export function hedgingHistory(settings: HistorySettings): History {
  const random = seeded(settings.seed);
  const pick = <Item>(items: readonly Item[]): Item =>
    items[Math.floor(random() * items.length)] as Item;
  const prices = new Map(settings.symbols.map((symbol) => [symbol, symbol.start]));
  const deals: OrderedDeal[] = [];
  const truth: string[] = [];
  const held: Held[] = [];
  const done: Held[] = [];
  let [timeMs, ticket, moment] = [Date.UTC(2025, 0, 6, 9), 1_000, 0];

  const book = (
    deal: Omit<Deal, 'id' | 'timeMs' | 'swap' | 'commission' | 'fee'>,
    order: string,
  ) => {
    const whole: Deal = {
      ...{ id: String(5_000_000 + deals.length), swap: 0, commission: 0, fee: 0, timeMs },
      ...deal,
    };
    deals.push({ deal: whole, order });
    return whole;
  };
  const open = () => {
    const symbol = pick(settings.symbols);
    const side = random() < 0.5 ? 'DEAL_TYPE_BUY' : 'DEAL_TYPE_SELL';
    const [lots, price, id] = [pick(settings.lots), prices.get(symbol) ?? 0, String(++ticket)];
    held.push({ id, symbol, side, lots, left: lots, timeMs, price, exits: [] });
    const volume = toVolume(lots);
    const entry = 'DEAL_ENTRY_IN';
    book({ type: side, entry, symbol: symbol.name, volume, price, profit: 0 }, id);
    truth.push(id);
  };
  const close = (
    position: Held,
    lots: number,
    by?: { price: number; order: string; earns: boolean },
  ) => {
    const { symbol, side } = position;
    const price = by?.price ?? prices.get(symbol) ?? 0;
    const direction = side === 'DEAL_TYPE_BUY' ? 1 : -1;
    const made = direction * (price - position.price) * lots * symbol.worth(price, moment);
    const profit = by && !by.earns ? 0 : round(made, settings.moneyDigits);
    const exit = book(
      {
        ...{
          symbol: symbol.name,
          volume: toVolume(lots),
          price,
          profit: toUnits(profit, DECIMALS),
        },
        type: side === 'DEAL_TYPE_BUY' ? 'DEAL_TYPE_SELL' : 'DEAL_TYPE_BUY',
        entry: by ? 'DEAL_ENTRY_OUT_BY' : 'DEAL_ENTRY_OUT',
      },
      by?.order ?? String(++ticket),
    );
    position.exits.push(exit);
    truth.push(position.id);
    position.left = round(position.left - lots, 2);
    if (position.left > 0) return;
    held.splice(held.indexOf(position), 1);
    done.push(position);
  };
  const closeByOpposite = (one: Held) => {
    const other = held.find(({ symbol, side }) => symbol === one.symbol && side !== one.side);
    if (!other) return close(one, one.left);
    const [lots, order] = [Math.min(one.left, other.left), String(++ticket)];
    close(one, lots, { price: other.price, order, earns: true });
    return close(other, lots, { price: other.price, order, earns: false });
  };

  while (deals.length < settings.deals) {
    moment += 1;
    timeMs += Math.floor(random() * (settings.pauseSeconds + 1)) * 1_000;
    for (const symbol of settings.symbols) {
      const ticks = Math.round((random() - 0.5) * 2 * symbol.ticks);
      const pulled = ((prices.get(symbol) ?? 0) - symbol.start) * 0.002;
      const price = (prices.get(symbol) ?? 0) - pulled + ticks * 10 ** -symbol.digits;
      prices.set(symbol, round(price, symbol.digits));
    }
    const chance = random();
    const position = held.length > 0 ? pick(held) : undefined;
    if (!position || (chance < 0.5 && held.length < settings.maxOpen)) open();
    else if (chance < 0.6 && position.left > 0.01)
      close(position, round(Math.ceil(position.left * 50 * random()) / 100, 2) || 0.01);
    else if (chance < 0.64 && settings.withCloseBy) closeByOpposite(position);
    else if (chance < 0.66)
      for (const each of held.filter(({ symbol }) => symbol === position.symbol))
        close(each, each.left);
    else close(position, position.left);
  }
  return { deals, truth, ...listsOf([...done, ...held]) };
}

/** The lists of the report: each position with its parts closed so far, and open ones. */
function listsOf(all: readonly Held[]): Pick<History, 'closed' | 'open'> {
  const common = ({ id, symbol, side, timeMs, price }: Held) => ({
    ...{ id, symbol: symbol.name, side, openTimeMs: timeMs, openPrice: price, swap: 0 },
  });
  const closed = all.flatMap((position): ListedPosition[] => {
    const { exits, symbol } = position;
    const last = exits.at(-1);
    if (!last) return [];
    const volume = exits.reduce((sum, exit) => sum + exit.volume, 0);
    const paid = exits.reduce((sum, exit) => sum + (exit.price ?? 0) * exit.volume, 0);
    const profit = exits.reduce((sum, exit) => sum + exit.profit, 0);
    const closePrice = round(paid / volume, symbol.digits);
    return [{ ...common(position), volume, closeTimeMs: last.timeMs, closePrice, profit }];
  });
  const open = all
    .filter(({ left }) => left > 0)
    .map((position) => ({ ...common(position), volume: toVolume(position.left), profit: 0 }));
  return { closed, open };
}

/** The same deals in an arbitrary order. */
export function shuffled<Kind extends Pick<History, 'deals' | 'truth'>>(
  history: Kind,
  seed: number,
): Kind {
  const random = seeded(seed);
  const order = [...history.deals.keys()];
  for (let at = order.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    [order[at], order[other]] = [order[other] as number, order[at] as number];
  }
  return {
    ...history,
    deals: order.map((index) => history.deals[index] as OrderedDeal),
    truth: order.map((index) => history.truth[index] as string),
  };
}
