/** Contents of a column in a table of trades or deals, by its title. */
export const TABLE_FIELDS = {
  side: 'Side (buy or sell)',
  symbol: 'Symbol',
  volume: 'Volume in lots',
  openTime: 'Time of opening',
  closeTime: 'Time of closing',
  openPrice: 'Price of opening',
  closePrice: 'Price of closing',
  profit: 'Profit before costs',
  netProfit: 'Profit with costs',
  result: 'Profit, with or without costs',
  commission: 'Commission',
  swap: 'Swap',
  fee: 'Fee',
  ticket: 'Ticket of the trade',
  magic: 'Magic number of the expert',
  stopLoss: 'Stop loss',
  takeProfit: 'Take profit',
  comment: 'Comment',
  balance: 'Balance after it',
  account: 'Login of the account',
  id: 'Id of the deal',
  type: 'Type of the deal',
  entry: 'Entry of the deal (in or out)',
  time: 'Time of the deal',
  price: 'Price of the deal',
  positionId: 'Id of the position',
  order: 'Ticket of the order',
} as const;
export type TableField = keyof typeof TABLE_FIELDS;

/** How a column of amounts writes them; `turned`: costs are positive. */
export const AMOUNT_SIGNS = ['as-listed', 'turned'] as const;
export type AmountSign = (typeof AMOUNT_SIGNS)[number];
