import { printTime } from './print.ts';
import type { Sample } from './trading.ts';

/** A closed trade as sites and journals list it. Money in the account's currency, before costs. */
export type JournalTrade = {
  ticket: number;
  symbol: string;
  side: 'buy' | 'sell';
  lots: number;
  openTimeMs: number;
  closeTimeMs: number;
  openPrice: number;
  closePrice: number;
  digits: number;
  profit: number;
  swap: number;
  commission: number;
};

/** The trades of a sample that were closed at once. */
export const journalTrades = (sample: Sample): JournalTrade[] =>
  sample.positions.flatMap((position): JournalTrade[] => {
    const [entry, exit, ...more] = position.fills;
    if (!entry || !exit || more.length > 0) return [];
    return [
      {
        ...{ ticket: position.id, symbol: position.symbol.name, side: position.side },
        ...{ lots: position.lots, openTimeMs: entry.timeMs, closeTimeMs: exit.timeMs },
        ...{ openPrice: entry.price, closePrice: exit.price, digits: position.symbol.digits },
        ...{ profit: exit.profit, swap: exit.swap },
        commission: Number((entry.commission + exit.commission).toFixed(2)),
      },
    ];
  });

type Cells = readonly (string | number)[];

/** A layout by its published headings: see docs/statements.md for where each was seen. */
export type JournalLayout = {
  headings: readonly string[];
  /** `balance`: after the trade, by the times at which they closed. */
  rowsOf: (trade: JournalTrade, balance: string) => readonly Cells[];
  delimiter?: string;
  /** Lines above the headings. */
  above?: readonly string[];
  /** Rows below the trades. */
  below?: readonly Cells[];
  newestFirst?: boolean;
};

const two = (value: number) => value.toFixed(2);
const net = ({ profit, swap, commission }: JournalTrade) => two(profit + swap + commission);
const capital = (side: string) => (side === 'buy' ? 'Buy' : 'Sell');
const iso = (timeMs: number) => new Date(timeMs).toISOString().slice(0, 19);
const dashed = (timeMs: number) => iso(timeMs).replace('T', ' ');
const slashed = (timeMs: number) => dashed(timeMs).replaceAll('-', '/');
const part = (timeMs: number, from: number, to: number) => dashed(timeMs).slice(from, to);
const dayFirst = (timeMs: number) =>
  `${part(timeMs, 8, 10)}/${part(timeMs, 5, 7)}/${part(timeMs, 0, 4)} ${part(timeMs, 11, 19)}`;
const monthFirst = (timeMs: number) =>
  `${part(timeMs, 5, 7)}/${part(timeMs, 8, 10)}/${part(timeMs, 0, 4)} ${part(timeMs, 11, 16)}`;
const price = (trade: JournalTrade, value: number) => value.toFixed(trade.digits);
const prices = (trade: JournalTrade) => [
  price(trade, trade.openPrice),
  price(trade, trade.closePrice),
];

/** `$1234.50`, `-$2.00` */
const dollars = (value: number) => `${value < 0 ? '-' : ''}$${two(Math.abs(value))}`;

/** `05/18/2026 09:14:03 AM UTC` */
const halfDay = (timeMs: number) => {
  const hour = new Date(timeMs).getUTCHours();
  const shown = String(hour % 12 || 12).padStart(2, '0');
  const date = monthFirst(timeMs).slice(0, 10);
  return `${date} ${shown}:${part(timeMs, 14, 19)} ${hour < 12 ? 'AM' : 'PM'} UTC`;
};

const words = (text: string) => text.split(',');

export const JOURNALS: Record<string, JournalLayout> = {
  Exness: {
    headings: words(
      'ticket,opening_time_utc,closing_time_utc,type,lots,original_position_size,symbol,opening_price,' +
        'closing_price,stop_loss,take_profit,commission_usd,swap_usd,profit_usd,equity_usd,margin_level,' +
        'close_reason',
    ),
    rowsOf: (t) => [
      [
        ...[t.ticket, iso(t.openTimeMs), iso(t.closeTimeMs), t.side, t.lots, t.lots, t.symbol],
        ...[...prices(t), '', '', two(t.commission), two(t.swap), two(t.profit), 900, '', 'tp'],
      ],
    ],
  },
  'Match-Trader': {
    headings: words(
      'ID,Symbol,Open Time,Volume,Side,Close Time,Open Price,Close Price,Stop Loss,Take Profit,Swap,' +
        'Commission,Profit,Reason',
    ),
    rowsOf: (t) => [
      [
        ...[`W${t.ticket}`, t.symbol, dayFirst(t.openTimeMs), t.lots, t.side.toUpperCase()],
        ...[dayFirst(t.closeTimeMs), ...prices(t), '', '', two(t.swap), two(t.commission)],
        ...[two(t.profit), 'USER'],
      ],
    ],
    below: [['Total', '', '', 12.5, '', '', '', '', '', '', 0, -3, 99, '']],
  },
  Myfxbook: {
    headings: words(
      'Tags,Ticket,Open Date,Close Date,Symbol,Action,Units/Lots,SL,TP,Open Price,Close Price,' +
        'Commission,Swap,Pips,Profit,Gain,Comment,Magic Number,Duration (DD:HH:MM:SS),Profitable(%),' +
        'Max(pips),Max(USD),ProfitMissed(USD)',
    ),
    rowsOf: (t) => [
      [
        ...['', t.ticket, monthFirst(t.openTimeMs), monthFirst(t.closeTimeMs), t.symbol],
        ...[capital(t.side), t.lots, 0, 0, ...prices(t), two(t.commission), two(t.swap), 12.5],
        ...[net(t), 0.5, '', 0, '00:01:12:00', 55.2, 3.4, 12.1, 0],
      ],
    ],
    below: [
      ['', '', '01/02/2026 09:00', '', '', 'Deposit', '', '', '', '', '', '', '', '', '1000.00'],
    ],
  },
  'FX Blue': {
    above: ['sep=,'],
    headings: words(
      'Type,Ticket,Symbol,Lots,Buy/sell,Open price,Close price,Open time,Close time,Open date,' +
        'Close date,Profit,Swap,Commission,Net profit,T/P,S/L,Pips,Result,Trade duration (hours),' +
        'Magic number,Order comment,Account,MAE,MFE',
    ),
    rowsOf: (t) => [
      [
        ...['Closed position', t.ticket, t.symbol, t.lots, capital(t.side), ...prices(t)],
        ...[slashed(t.openTimeMs), slashed(t.closeTimeMs), slashed(t.openTimeMs).slice(0, 10)],
        ...[slashed(t.closeTimeMs).slice(0, 10), two(t.profit), two(t.swap), two(t.commission)],
        ...[net(t), 0, 0, 12.5, t.profit > 0 ? 'Win' : 'Loss', 2, 0, '', 20120675, -3, 4],
      ],
    ],
    below: [
      [
        ...['Deposit', 1, '', 0, '', 0, 0, '2026/01/02 09:00:00', '2026/01/02 09:00:00'],
        ...['2026/01/02', '2026/01/02', 1000, 0, 0, 1000, 0, 0, 0, 'n/a', 0, 0, '', 20120675, 0, 0],
      ],
      [
        ...['Open position', 2, 'EURUSD', 0.1, 'Buy', 1.1, 0, '2026/11/22 10:00:00', ''],
        ...['2026/11/22', '', 0, 0, 0, 0, 0, 0, 0, '', 0, 0, '', 20120675, 0, 0],
      ],
    ],
  },
  cTrader: {
    headings: words(
      'ID,Symbol,Opening direction,Opening time (UTC+2),Closing time (UTC+2),Entry price,Closing price,' +
        'Closing Quantity,Swap USD,Commissions USD,Net USD,Balance USD,Comment',
    ),
    rowsOf: (t, balance) => [
      [
        ...[`DID${t.ticket}`, t.symbol, capital(t.side), `${dayFirst(t.openTimeMs)}.000`],
        ...[`${dayFirst(t.closeTimeMs)}.000`, ...prices(t), `${two(t.lots)} Lots`, two(t.swap)],
        ...[two(t.commission), net(t), balance, 'label'],
      ],
    ],
    newestFirst: true,
  },
  ZuluTrade: {
    headings: words(
      'Provider Ticket,Broker Ticket,Type,Currency,Standard Lots,Date Open,Date Close,Price Open,' +
        'Price Close,Highest Profit (Pips),Worst Drawdown (Pips),Interest ($),Profit (Pips),Profit ($)',
    ),
    rowsOf: (t) => [
      [
        ...['', t.ticket, t.side.toUpperCase(), `${t.symbol.slice(0, 3)}/${t.symbol.slice(3)}`],
        ...[
          t.lots,
          slashed(t.openTimeMs),
          slashed(t.closeTimeMs),
          ...prices(t),
          12,
          -3,
          two(t.swap),
        ],
        ...[12.5, two(t.profit)],
      ],
    ],
  },
  TradeLocker: {
    headings: words(
      'Position ID,Instrument,Side,Qty,Entry Price,Exit Price,Entry Time,Exit Time,Fee,Swap,P&L',
    ),
    rowsOf: (t) => [
      [
        ...[t.ticket, t.symbol, capital(t.side), t.lots, ...prices(t), dashed(t.openTimeMs)],
        ...[dashed(t.closeTimeMs), two(t.commission), two(t.swap), two(t.profit)],
      ],
    ],
  },
  'a journal in dollars': {
    headings: words(
      'Ticket,Symbol,Type,Volume,Open Time,Open Price,Close Time,Close Price,Commission,Swap,Profit',
    ),
    rowsOf: (t) => [
      [
        ...[t.ticket, t.symbol, t.side, `${two(t.lots)}/${two(t.lots)}`, halfDay(t.openTimeMs)],
        ...[price(t, t.openPrice), halfDay(t.closeTimeMs), price(t, t.closePrice)],
        ...[dollars(t.commission), dollars(t.swap), dollars(t.profit)],
      ],
    ],
  },
  'a table in snake_case with numbers for words': {
    headings: words(
      'position_id,open_time,close_time,cmd,symbol,lots,open_price,close_price,commission,swap,profit',
    ),
    rowsOf: (t) => [
      [
        ...[t.ticket, t.openTimeMs / 1000, t.closeTimeMs / 1000, t.side === 'buy' ? 0 : 1],
        ...[t.symbol, t.lots, ...prices(t), two(t.commission), two(t.swap), two(t.profit)],
      ],
    ],
  },
  'a signal of MQL5': {
    delimiter: ';',
    headings: words(
      'Time,Type,Volume,Symbol,Price,S/L,T/P,Time,Price,Commission,Swap,Profit,Comment',
    ),
    rowsOf: (t) => [
      [
        ...[printTime(t.openTimeMs), capital(t.side), two(t.lots), t.symbol, price(t, t.openPrice)],
        ...['', '', printTime(t.closeTimeMs), price(t, t.closePrice), two(t.commission)],
        ...[two(t.swap), two(t.profit), ''],
      ],
    ],
    below: [
      ['2026.01.02 09:00:00', 'Balance', '', '', '', '', '', '', '', '', '', '1 000.00', 'in'],
    ],
  },
};

/** TradingView's list of trades, before and since 2025. The exit comes first; profits are net. */
export const LISTS_OF_TRADES: Record<string, JournalLayout> = {
  'TradingView until 2024': {
    headings: words(
      'Trade #,Type,Signal,Date/Time,Price USD,Contracts,Profit USD,Profit %,Cum. Profit USD,Run-up USD',
    ),
    rowsOf: (t) =>
      (['Exit', 'Entry'] as const).map((half) => [
        ...[t.ticket, `${half} ${t.side === 'buy' ? 'Long' : 'Short'}`, 'go'],
        dashed(half === 'Exit' ? t.closeTimeMs : t.openTimeMs).slice(0, 16),
        price(t, half === 'Exit' ? t.closePrice : t.openPrice),
        ...[t.lots, half === 'Exit' ? net(t) : '', 1.2, 300, 12],
      ]),
  },
  'TradingView since 2025': {
    headings: words(
      'Trade number,Type,Date and time,Signal,Price USD,Size (qty),Size (value),Net PnL USD,Return %,' +
        'Commission USD,Favorable excursion USD,Cumulative PnL USD,Duration (bars)',
    ),
    rowsOf: (t) =>
      (['Exit', 'Entry'] as const).map((half) => [
        ...[t.ticket, `${half} ${t.side === 'buy' ? 'long' : 'short'}`],
        dashed(half === 'Exit' ? t.closeTimeMs : t.openTimeMs).slice(0, 16),
        ...[
          'go',
          price(t, half === 'Exit' ? t.closePrice : t.openPrice),
          t.lots,
          5000,
          net(t),
          1.2,
        ],
        ...[two(-t.commission), 12, 300, 4],
      ]),
  },
};

const quoted = (cell: string | number, delimiter: string) =>
  String(cell).includes(delimiter) ? `"${cell}"` : String(cell);

/** All rows of a journal, headings first. */
export const journalRows = (layout: JournalLayout, trades: readonly JournalTrade[]): Cells[] => {
  const balances = new Map<JournalTrade, string>();
  let balance = 10_000;
  for (const trade of trades.toSorted((a, b) => a.closeTimeMs - b.closeTimeMs)) {
    balance += Number(net(trade));
    balances.set(trade, two(balance));
  }
  const rows = trades.flatMap((trade) => layout.rowsOf(trade, balances.get(trade) ?? ''));
  if (layout.newestFirst) rows.reverse();
  return [layout.headings, ...rows, ...(layout.below ?? [])];
};

export function journalCsv(layout: JournalLayout, trades: readonly JournalTrade[]): Buffer {
  const { delimiter = ',', above = [] } = layout;
  const lines = journalRows(layout, trades).map((cells) =>
    cells.map((cell) => quoted(cell, delimiter)).join(delimiter),
  );
  return Buffer.from(`${[...above, ...lines].join('\r\n')}\r\n`);
}
