/** What a column of a csv file holds, by the names that exporting programs give it. */
const NAMES = {
  id: ['id', 'deal', 'deal id', 'deal ticket'],
  ticket: ['ticket', 'order', 'order id', 'position', 'position id', 'trade id', 'trade', '#'],
  positionId: ['positionid', 'position_id', 'position', 'position id'],
  order: ['order', 'order id', 'order ticket'],
  type: ['type', 'action', 'side', 'direction', 'buy/sell', 'trade type', 'deal type'],
  entry: ['entry', 'direction', 'in/out'],
  symbol: ['symbol', 'item', 'pair', 'instrument', 'market'],
  volume: ['volume', 'lots', 'size', 'units/lots', 'lot size', 'quantity'],
  price: ['price'],
  openTime: ['open', 'open time', 'open date', 'opening time', 'entry time', 'time open', 'opened'],
  closeTime: [
    ...['close', 'close time', 'close date', 'closing time', 'exit time', 'time close', 'closed'],
  ],
  openPrice: ['open price', 'opening price', 'entry price', 'price open'],
  closePrice: ['close price', 'closing price', 'exit price', 'price close'],
  time: ['brokertime', 'time', 'date', 'datetime', 'deal time'],
  swap: ['swap', 'swaps', 'rollover', 'storage'],
  commission: ['commission', 'commissions', 'comm', 'comm.'],
  fee: ['fee', 'fees', 'taxes', 'tax'],
  profit: ['profit', 'p/l', 'pnl', 'p&l', 'profit/loss', 'net profit', 'gross profit', 'net p/l'],
  comment: ['comment', 'comments'],
  status: ['status', 'state'],
} as const;

export type ColumnName = keyof typeof NAMES;
export type Columns = Partial<Record<ColumnName, number | undefined>>;

const plain = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/^<(.*)>$/, '$1')
    .replace(/\s*\([^)]*\)$/, '')
    .trim();

/**
 * Finds the columns of a csv file. Where two columns are both called "price", the first is the opening
 * price and the second the closing one.
 */
export function findColumns(headings: readonly string[]): Columns {
  const words = headings.map(plain);
  const columns: Columns = {};
  for (const name of Object.keys(NAMES) as ColumnName[]) {
    const at = NAMES[name].map((word) => words.indexOf(word)).find((index) => index >= 0);
    if (at !== undefined) columns[name] = at;
  }
  const prices = words.flatMap((word, index) => (word === 'price' ? [index] : []));
  if (prices.length === 2 && columns.openPrice === undefined) {
    columns.openPrice = prices[0];
    columns.closePrice = prices[1];
  }
  const times = words.flatMap((word, index) => (word === 'time' ? [index] : []));
  if (times.length === 2 && columns.openTime === undefined) {
    columns.openTime = times[0];
    columns.closeTime = times[1];
  }
  return columns;
}
