import type { TableField } from '../../words/table-fields.ts';
import { type Heading, readHeading } from './headings.ts';

/**
 * Fields of the columns of flat tables, by the headings of exporting programs. The first word
 * present in a table counts; if several columns may hold a side or an entry, their contents decide
 * (`flat-table.ts`).
 */
const NAMES: Readonly<Record<ColumnName, readonly string[]>> = {
  id: ['id', 'deal', 'deal id', 'deal ticket', 'deal number', 'ticket'],
  ticket: [
    ...['ticket', 'position id', 'position', 'trade id', 'id', 'deal id', 'order id', 'order'],
    ...['broker ticket', 'provider ticket', 'trade', 'trade #', '#'],
  ],
  positionId: ['position id', 'positionid', 'position'],
  order: ['order', 'order id', 'order ticket'],
  tradeNumber: ['trade #', 'trade number'],
  type: ['type', 'action', 'trade type', 'deal type', 'side', 'direction', 'buy/sell', 'cmd'],
  side: [
    ...['buy/sell', 'side', 'opening direction', 'entry direction', 'position type', 'long/short'],
    ...['market pos.', 'b/s', 'direction', 'action', 'trade type', 'order type', 'type', 'cmd'],
  ],
  entry: ['entry', 'entry type', 'deal entry', 'in/out', 'direction'],
  symbol: [
    ...['symbol', 'item', 'pair', 'instrument', 'market', 'currency', 'currency pair', 'asset'],
    ...['ticker', 'contract'],
  ],
  volume: [
    ...['volume', 'lots', 'size', 'units/lots', 'lot size', 'lot', 'closing quantity', 'quantity'],
    ...['qty', 'standard lots', 'std lots', 'position size', 'size (qty)', 'position size (qty)'],
    ...['contracts', 'amount', 'volume (lots)', 'filled qty'],
  ],
  price: ['price', 'deal price', 'fill price'],
  openTime: [
    ...['open time', 'opening time', 'entry time', 'time open', 'open', 'open date', 'date open'],
    ...['opened', 'opened at', 'open datetime', 'entry date', 'open at', 'time in', 'date in'],
  ],
  closeTime: [
    ...['close time', 'closing time', 'exit time', 'time close', 'close', 'close date'],
    ...['date close', 'date closed', 'closed', 'closed at', 'close datetime', 'exit date'],
    ...['close at', 'time out', 'date out'],
  ],
  openPrice: [
    ...[
      'open price',
      'opening price',
      'entry price',
      'price open',
      'avg entry price',
      'entry rate',
    ],
    ...['open rate', 'average open price'],
  ],
  closePrice: [
    ...['close price', 'closing price', 'exit price', 'price close', 'avg exit price', 'exit rate'],
    ...['close rate', 'average close price'],
  ],
  time: [
    ...['broker time', 'time', 'date', 'datetime', 'deal time', 'date/time', 'date and time'],
    ...['execution time', 'time msc'],
  ],
  timeMs: ['time msc'],
  swap: ['swap', 'swaps', 'rollover', 'storage', 'interest', 'overnight fee', 'roll'],
  commission: ['commission', 'commissions', 'comm', 'comm.', 'comission'],
  fee: ['fee', 'fees', 'taxes', 'tax', 'broker fee'],
  profit: ['profit', 'gross', 'gross profit', 'gross p/l', 'gross p&l', 'gross pnl'],
  netProfit: [
    ...['net profit', 'net', 'net p/l', 'net p&l', 'net pnl', 'net p/l (net)', 'net result'],
    ...['profit net', '$ net', 'net profit/loss'],
  ],
  result: [
    ...['p/l', 'pnl', 'p&l', 'profit/loss', 'profit and loss', 'realized p&l', 'realized pnl'],
    ...['realized p/l', 'result', 'profit loss', 'pl'],
  ],
  balance: ['balance', 'balance after', 'account balance', 'running balance'],
  digits: ['digits'],
  magic: ['magic', 'magic number', 'expert id', 'expertid', 'magicnumber'],
  stopLoss: ['stop loss', 'sl', 's/l', 's / l', 'stop', 'initial stop', 'stoploss', 'price sl'],
  takeProfit: ['take profit', 'tp', 't/p', 't / p', 'target', 'takeprofit', 'price tp'],
  comment: ['comment', 'comments', 'order comment', 'label', 'signal', 'note', 'notes'],
  status: ['status', 'state'],
  account: ['account', 'login', 'account number', 'account id', 'account login', 'account no.'],
};

/**
 * Columns without a corresponding field of a deal. Any other column of numbers is named in a
 * warning: it may be money.
 */
const OF_NO_ACCOUNT = new Set([
  ...['equity', 'margin level', 'margin'],
  ...['limit', 'limit price', 'stop price', 'pips', 'points'],
  ...['profit (pips)', 'highest profit (pips)', 'worst drawdown (pips)', 'gain', 'gain %'],
  ...['profit %', 'net p&l %', 'net pnl %', 'return %', 'roi', 'change %', 'change', 'duration'],
  ...['duration (bars)', 'duration (dd:hh:mm:ss)', 'trade duration (hours)', 'length', 'bars'],
  ...['profitable(%)', 'profitable(time duration)', 'drawdown', 'drawdown %', 'risk:reward'],
  ...['max(pips)', 'max', 'min(pips)', 'min', 'entry accuracy(%)', 'exit accuracy(%)'],
  ...['profitmissed(pips)', 'profitmissed', 'mae', 'mfe', 'etd', 'run-up', 'run-up %'],
  ...['reason', 'close reason', 'contract size', 'leverage', 'high', 'low'],
  ...['original position size', 'closing volume', 'requested quantity', 'volume (ccy)', 'cost'],
  ...['cum. profit', 'cum. profit %', 'cumulative profit', 'cumulative profit %', 'external id'],
  ...['cumulative p&l', 'cumulative p&l %', 'cumulative pnl', 'cumulative pnl %', 'size (value)'],
  ...['position size (value)', 'favorable excursion', 'favorable excursion %', 'open date'],
  ...['adverse excursion', 'adverse excursion %', 'total accumulated profit', 'rate', 'tags'],
  ...['conversion rate', 'market price', 'current price', 'trade', 'broker ticket', 'close date'],
  ...[
    'time setup',
    'provider ticket',
    'row',
    'index',
    '',
    'unnamed: 0',
    'net p&l (pips)',
    ...['last modified', 'account currency exchange rate'],
  ],
]);

/** Likewise lengths of time, pips and shares. */
const MEASURE = /\b(?:duration|pips?|points|percent|seconds|minutes|hours)\b|%/;

/** Fields, and marks that distinguish the table from others. */
export type ColumnName = TableField | 'tradeNumber' | 'timeMs' | 'digits' | 'status';

/** The indexes of the columns that may hold each field, the likeliest first. */
export type Columns = {
  headings: readonly Heading[];
  places: Partial<Record<ColumnName, readonly number[]>>;
  /** Indexes of unknown headings. */
  unknown: readonly number[];
  /** Its user explained the columns. */
  isMapped?: boolean | undefined;
};

/** Programs write `PnL` and `P nL`, `openTime` and `open_time`: blanks mean nothing. */
const bare = (word: string): string => word.replaceAll(' ', '');

const known = new Set<string>([...Object.values(NAMES).flat(), ...OF_NO_ACCOUNT].map(bare));

/** How many of the words are known headings. */
export const knownHeadings = (texts: readonly string[]): number =>
  texts.filter((text) => text !== '' && known.has(bare(readHeading(text).word))).length;

/**
 * Finds the columns of a flat table. If two columns are called "price" or "time", the first is that
 * of the opening and the second that of the closing.
 */
export function findColumns(texts: readonly string[]): Columns {
  const headings = texts.map(readHeading);
  const words = headings.map(({ word }) => word);
  const places: Partial<Record<ColumnName, readonly number[]>> = {};
  for (const name of Object.keys(NAMES) as ColumnName[]) {
    const found = NAMES[name].flatMap((word) => placesOf(words, word));
    if (found.length > 0) places[name] = found;
  }
  const [openPrice, closePrice] = placesOf(words, 'price');
  if (closePrice !== undefined && openPrice !== undefined && !places.openPrice) {
    places.openPrice = [openPrice];
    places.closePrice = [closePrice];
  }
  const [openTime, closeTime] = placesOf(words, 'time');
  if (closeTime !== undefined && openTime !== undefined && !places.openTime) {
    places.openTime = [openTime];
    places.closeTime = [closeTime];
  }
  const unknown = [...words.keys()].filter((place) => {
    const word = words[place] ?? '';
    return !known.has(bare(word)) && !MEASURE.test(word);
  });
  return { headings, places, unknown };
}

const placesOf = (words: readonly string[], word: string): number[] =>
  words.flatMap((other, place) => (bare(other) === bare(word) ? [place] : []));

export const hasColumns = ({ places }: Columns, ...names: readonly ColumnName[]): boolean =>
  names.every((name) => places[name] !== undefined);
