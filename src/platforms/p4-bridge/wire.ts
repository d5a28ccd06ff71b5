import Type, { type Static, type TSchema } from 'typebox';

/**
 * The contract between Plimsoll and a bridge process that drives the p4 manager library. These
 * schemas check a bridge's answers and are the source of docs/p4-bridge.openapi.json.
 */
export const BRIDGE_VERSION = '1';

export const text = (description: string) => Type.String({ maxLength: 1024, description });
export const brokerTime = (description: string) =>
  Type.String({
    maxLength: 23,
    description: `${description}; wall clock of the trading server, YYYY-MM-DD HH:mm:ss[.SSS]`,
  });
const number = (description: string) => Type.Number({ description });
export const cursor = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 512,
    description: 'Where to read on; absent on the last page',
  }),
);

export const bridgeHealth = Type.Object(
  {
    version: Type.String({ description: 'Version of this contract: 1' }),
    connected: Type.Boolean({
      description: 'Whether a ping of the manager session was answered during this call',
    }),
    symbols: Type.Integer({
      minimum: 0,
      description: 'Symbols that the session sees. A session that was logged out sees none',
    }),
    brokerTime: brokerTime('Now'),
    calls: Type.Optional(
      Type.Array(Type.String({ maxLength: 64 }), {
        maxItems: 100,
        description:
          'The calls that the bridge has, as `GET /accounts/{login}`. Where absent, all are tried',
      }),
    ),
  },
  { $id: 'Health' },
);

const bridgeSymbol = Type.Object(
  {
    symbol: text('Name'),
    description: text('Description'),
    source: text('Source symbol, empty where there is none'),
    currency: text('Margin currency'),
    type: Type.Integer({ minimum: 0, maximum: 31, description: 'Index of the security group' }),
    tickSize: number('tick_size'),
    tickValue: number('tick_value'),
    digits: Type.Integer({ minimum: 0, maximum: 10 }),
    marginMode: text('MARGIN_CALC_FOREX, _CFD, _FUTURES, _CFDINDEX or _CFDLEVERAGE'),
    profitMode: text('PROFIT_CALC_FOREX, _CFD or _FUTURES'),
    freezeLevel: number('freeze_level'),
    point: number('10^-digits'),
    multiply: number('10^digits'),
    bidTickValue: number('bid_tickvalue'),
    askTickValue: number('ask_tickvalue'),
    stopsLevel: number('stops_level'),
    expiration: number('Epoch time in milliseconds; 0: never'),
    tradeMode: text('TRADE_NO, TRADE_CLOSE or TRADE_FULL'),
  },
  { $id: 'Symbol' },
);

export const bridgeUser = Type.Object(
  {
    login: Type.Integer({ minimum: 1 }),
    group: text('Group, by its exact name'),
    name: text('Name'),
    email: text('E-mail'),
    address: text('Address'),
    city: text('City'),
    state: text('State'),
    zip: text('Zip code'),
    country: text('Country'),
    phone: text('Phone'),
    id: text('Identification number'),
    leadSource: text('Lead source'),
    leverage: Type.Integer({ minimum: 0 }),
    balance: Type.String({
      pattern: '^-?[0-9]+(\\.[0-9]+)?$',
      description: "Without credit, in the digits of the account's currency",
    }),
  },
  { $id: 'User' },
);

export const bridgeAccount = Type.Object(
  {
    login: Type.Integer({ minimum: 1 }),
    company: text('Company that owns the group'),
    currency: text('Deposit currency of the group'),
    name: text('Name'),
    balance: number('UserRecord.balance: without credit'),
    credit: number('UserRecord.credit'),
    equity: number('MarginLevel.equity'),
    margin: number('MarginLevel.margin'),
    freeMargin: number('MarginLevel.margin_free'),
    leverage: number('UserRecord.leverage'),
    tradeAllowed: Type.Boolean({ description: 'Enabled and not read-only' }),
  },
  { $id: 'Account' },
);

export const bridgeOrder = Type.Object(
  {
    order: Type.Integer({ minimum: 1, description: 'Ticket' }),
    type: text(
      'buy, sell, balance or credit. Any other kind by a word of your own, with its money. Deleted pending orders are left out',
    ),
    symbol: Type.Optional(text('Absent on balance and credit')),
    lots: number('0 on balance and credit'),
    digits: Type.Optional(Type.Integer({ minimum: 0, maximum: 10 })),
    contractSize: Type.Optional(number('Units of one lot')),
    openTime: brokerTime('Opening'),
    closeTime: brokerTime('Closing; of balance and credit their own time'),
    openPrice: Type.Optional(number('Absent on balance and credit')),
    closePrice: Type.Optional(number('Absent on balance and credit')),
    profit: number('Result, or the amount of a balance operation'),
    swap: number('TradeRecord.storage'),
    commission: number('TradeRecord.commission'),
    taxes: number('TradeRecord.taxes'),
    comment: text('Comment'),
    magic: Type.Optional(Type.Integer({ description: 'TradeRecord.magic' })),
    stopLoss: Type.Optional(number('TradeRecord.sl, 0 without')),
    takeProfit: Type.Optional(number('TradeRecord.tp, 0 without')),
  },
  { $id: 'ClosedOrder' },
);

const bridgePosition = Type.Object(
  {
    order: Type.Integer({ minimum: 1, description: 'Ticket' }),
    type: Type.Enum(['buy', 'sell']),
    symbol: text('Symbol'),
    lots: number('Open volume'),
    openTime: brokerTime('Opening'),
    openPrice: number('Open price'),
    currentPrice: number('Price that it would close at'),
    profit: number('Floating result'),
    swap: number('Swap so far'),
  },
  { $id: 'Position' },
);

export const bridgeMarket = Type.Object(
  {
    symbols: Type.Array(
      Type.Object({
        symbol: text('Name'),
        marginMode: text('MARGIN_CALC_…'),
        contractSize: number('contract_size'),
        currencyBase: text('Base currency'),
        currencyProfit: text('Currency of the profit'),
        currencyMargin: text('margin_currency'),
        digits: Type.Integer({ minimum: 0, maximum: 10 }),
        volumeMin: number('lot_min of the account’s group, in lots'),
        volumeMax: number('lot_max of the account’s group, in lots'),
        volumeStep: number('lot_step of the account’s group, in lots'),
        tickSize: Type.Optional(number('tick_size')),
        tickValue: Type.Optional(number('tick_value')),
        marginInitial: Type.Optional(number('margin_initial')),
        marginMaintenance: Type.Optional(number('margin_maintenance')),
        marginHedged: Type.Optional(number('margin_hedged')),
        percentage: Type.Optional(number('Percentage of the margin, 100 ÷ margin_divider')),
        leverageTiers: Type.Optional(
          Type.Array(
            Type.Object({
              fromVolume: number('Lots from which on it applies, to what lies above'),
              leverage: number('Leverage, at most that of the account'),
            }),
            { maxItems: 32, description: 'Of a plugin that lets leverage fall with the volume' },
          ),
        ),
      }),
      { maxItems: 1000 },
    ),
    quotes: Type.Array(
      Type.Object({
        symbol: text('Name'),
        bid: number('Bid'),
        ask: number('Ask'),
        brokerTime: brokerTime('When the quote was made'),
      }),
      { maxItems: 1000 },
    ),
  },
  { $id: 'Market', description: 'The symbol and every pair that may convert its margin currency' },
);

export const bridgeNewUser = Type.Object(
  {
    name: text('Name'),
    email: text('E-mail'),
    group: text('Group, by its exact name'),
    leverage: Type.Integer({ minimum: 1 }),
    address: Type.Optional(text('Address')),
    city: Type.Optional(text('City')),
    country: Type.Optional(text('Country')),
    phone: Type.Optional(text('Phone')),
    state: Type.Optional(text('State')),
    zip: Type.Optional(text('Zip code')),
    leadSource: Type.Optional(text('Lead source')),
    id: Type.Optional(text('Identification number')),
    enabled: Type.Boolean(),
    password: text('Master password. Never to be logged'),
    investorPassword: text('Read-only password. Never to be logged'),
  },
  { $id: 'NewUser' },
);

export const bridgeCreated = Type.Object({ login: Type.Integer({ minimum: 1 }) });

export const bridgeError = Type.Object(
  {
    code: Type.Integer({
      description: 'Return code of the manager library, for example 7 not enough rights',
    }),
    message: text('What happened, without secrets'),
  },
  { $id: 'Error' },
);

export const pageOf = <S extends TSchema>(name: string, items: S) =>
  Type.Object({ items: Type.Array(items, { maxItems: 1000 }), nextCursor: cursor }, { $id: name });

export const bridgeSymbols = pageOf('SymbolPage', bridgeSymbol);
export const bridgeUsers = pageOf('UserPage', bridgeUser);
export const bridgeOrders = pageOf('ClosedOrderPage', bridgeOrder);
export const bridgePositions = pageOf('PositionPage', bridgePosition);

export type BridgeUser = Static<typeof bridgeUser>;
export type BridgeOrder = Static<typeof bridgeOrder>;
export type BridgePosition = Static<typeof bridgePosition>;
