import Type, { type Static } from 'typebox';
import { PASSWORD_KINDS } from '../../words/accounts.ts';
import { bridgeOrder, brokerTime, cursor, pageOf, text } from './wire.ts';

/** The part of the contract that changes accounts, or reads very many of them. */

const login = Type.Integer({ minimum: 1 });
const ticket = Type.Integer({ minimum: 1, description: 'Ticket' });

export const bridgeGroups = pageOf(
  'GroupPage',
  Type.Object({ name: text('Name'), currency: text('Deposit currency') }, { $id: 'Group' }),
);

const settings = {
  enabled: Type.Boolean({ description: 'UserRecord.enable: may log in' }),
  tradingEnabled: Type.Boolean({ description: 'Not UserRecord.enable_read_only: may trade' }),
  group: text('Group, by its exact name'),
  leverage: Type.Integer({ minimum: 1 }),
};
export const bridgeSettings = Type.Object({ login, ...settings }, { $id: 'Settings' });
export const bridgeSettingsChange = Type.Partial(Type.Object(settings), { $id: 'SettingsChange' });

export const bridgePassword = Type.Object(
  {
    kind: Type.Enum(PASSWORD_KINDS),
    password: Type.String({ maxLength: 64, description: 'Never to be logged or kept' }),
  },
  { $id: 'Password' },
);
export const bridgeDone = Type.Object({}, { $id: 'Done' });
export const bridgePasswordCheck = Type.Object(
  { matches: Type.Boolean() },
  { $id: 'PasswordCheck' },
);

export const bridgeBalanceOperation = Type.Object(
  {
    type: Type.Enum(['balance', 'credit']),
    amount: Type.Number({ description: 'In the currency of the account; negative: a withdrawal' }),
    comment: Type.String({
      maxLength: 31,
      description: 'To be stored as it is: its last 13 characters mark the operation',
    }),
  },
  { $id: 'BalanceOperation' },
);
export const bridgeBooked = Type.Object({ order: ticket }, { $id: 'Booked' });

export const bridgePendingOrders = pageOf(
  'PendingOrderPage',
  Type.Object(
    {
      order: ticket,
      type: text('buy-limit, sell-limit, buy-stop or sell-stop; any other by a word of your own'),
      symbol: text('Symbol'),
      lots: Type.Number({ description: 'Volume' }),
      price: Type.Number({ description: 'Price that it waits for' }),
    },
    { $id: 'PendingOrder' },
  ),
);

export const bridgeClosing = Type.Object(
  {
    login,
    orders: Type.Optional(
      Type.Array(ticket, { maxItems: 1000, description: 'All of the login where absent' }),
    ),
  },
  { $id: 'Closing' },
);
export const bridgeClosed = Type.Object(
  {
    done: Type.Array(ticket, {
      maxItems: 10_000,
      description: 'Those that are not open any more, whoever closed them',
    }),
    failed: Type.Array(
      Type.Object({ order: ticket, message: text('Why it is still open, without secrets') }),
      { maxItems: 10_000 },
    ),
  },
  { $id: 'Closed' },
);

const selection = {
  logins: Type.Optional(Type.Array(login, { maxItems: 1000 })),
  groups: Type.Optional(
    Type.Array(text('Exact name, or a mask with *'), {
      maxItems: 1000,
      description: 'Either these or logins',
    }),
  ),
};
export const bridgeStatesRequest = Type.Object({ ...selection, cursor }, { $id: 'StatesRequest' });
export const bridgeStates = pageOf(
  'StatePage',
  Type.Object(
    {
      login,
      balance: Type.Number({ description: 'UserRecord.balance: without credit' }),
      credit: Type.Number({ description: 'UserRecord.credit' }),
      equity: Type.Number({ description: 'MarginLevel.equity' }),
      margin: Type.Number({ description: 'MarginLevel.margin' }),
      freeMargin: Type.Number({ description: 'MarginLevel.margin_free' }),
    },
    { $id: 'State' },
  ),
);

export const bridgeOrdersRequest = Type.Object(
  {
    ...selection,
    from: brokerTime('Start of the range, inclusive'),
    to: brokerTime('End of the range, exclusive'),
    cursor,
  },
  { $id: 'OrdersRequest' },
);
export const bridgeLoginOrders = pageOf(
  'LoginOrderPage',
  Type.Object({ login, order: bridgeOrder }, { $id: 'LoginOrder' }),
);

export const bridgeCount = Type.Object(
  {
    count: Type.Integer({
      minimum: 0,
      description: 'Closed orders and balance operations, without rows of no volume and no money',
    }),
  },
  { $id: 'Count' },
);

export type BridgeSettings = Static<typeof bridgeSettings>;
export type BridgePendingOrder = Static<typeof bridgePendingOrders>['items'][number];
