import Type from 'typebox';
import { PASSWORD_KINDS } from '../../words/accounts.ts';
import { BALANCE_OPERATIONS } from '../../words/deals.ts';
import { defineOperation } from '../operation.ts';
import { answerText, brokerTimeText, optionalText, record, text, words } from '../primitives.ts';
import { type Family, idempotencyKey, loginParams, NAMES, PROFILE } from './platform-accounts.ts';

/** Ids of one request, and positions that an account may have open. */
const MAX_IDS = 1_000;
const MAX_OPEN = 10_000;
const MAX_AMOUNT = 1_000_000_000;

const platformId = (description: string) => answerText(64, description);
const ids = (description: string) =>
  Type.Array(platformId('Ticket'), { maxItems: MAX_OPEN, description });

const isEnabled = Type.Boolean({ description: 'Whether its holder may log in' });
const mayTrade = Type.Boolean({ description: 'Whether its holder may trade' });
const LEVERAGE = '100 stands for 1:100';

const accountSettings = record('PlatformAccountSettings', {
  enabled: isEnabled,
  tradingEnabled: mayTrade,
  group: answerText(1000, 'Group'),
  leverage: Type.Integer({ description: LEVERAGE }),
});
const accountChange = record(
  'PlatformAccountChange',
  {
    enabled: Type.Optional(isEnabled),
    tradingEnabled: Type.Optional(mayTrade),
    group: Type.Optional(text(255, 'Group of the same currency')),
    leverage: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000, description: LEVERAGE })),
  },
  { minProperties: 1 },
);

const optionalKey = (description: string) =>
  Type.Object({ 'idempotency-key': Type.Optional(idempotencyKey(description)) });
const headers = optionalKey(
  'A request repeated with its key gets the answer of the first; kept for a day',
);

export const readAccountSettingsOperation = (family: Family) =>
  defineOperation({
    operationId: `read${NAMES[family]}AccountSettings`,
    method: 'GET',
    path: `${PROFILE[family]}/accounts/:login/settings`,
    base: 'manager',
    scope: 'read',
    summary: 'What an account may do and where it belongs',
    description: 'As the platform has it now.',
    params: loginParams,
    response: { 200: accountSettings },
    errors: [404],
  });

export const changeAccountOperation = (family: Family) =>
  defineOperation({
    operationId: `change${NAMES[family]}Account`,
    method: 'PATCH',
    path: `${PROFILE[family]}/accounts/:login`,
    base: 'manager',
    scope: 'write',
    summary: 'Disable or enable an account or its trading, move it, set its leverage',
    description: [
      'The answer is read back from the platform. The profile must allow disableTrading,',
      'enableTrading, moveToGroup or changeLeverage, as the fields need.',
    ].join(' '),
    params: loginParams,
    headers,
    body: accountChange,
    response: { 200: accountSettings },
    errors: [404, 409],
  });

const kindOfPassword = words(PASSWORD_KINDS, {
  $id: 'PlatformPasswordKind',
  description: 'investor: the password for looking only',
});
const newPassword = record('NewPlatformPassword', {
  kind: kindOfPassword,
  password: Type.Optional(
    Type.String({
      ...{ minLength: 8, maxLength: 64, pattern: '^[^\\p{Cc}]*$' },
      expected: 'must not contain control characters',
      description: 'Made by Plimsoll where absent. Neither stored nor logged',
    }),
  ),
});
const passwordSet = record('PlatformPassword', {
  kind: kindOfPassword,
  password: Type.Optional(
    answerText(256, 'The one that was made: in this answer and nowhere else'),
  ),
});

export const setPasswordOperation = (family: Family) =>
  defineOperation({
    operationId: `set${NAMES[family]}AccountPassword`,
    method: 'POST',
    path: `${PROFILE[family]}/accounts/:login/password`,
    base: 'manager',
    scope: 'write',
    summary: 'Set a password of an account, a new one where none is given',
    description: 'The profile must allow setPassword.',
    params: loginParams,
    headers: optionalKey('A request repeated with its key sets the password again; kept for a day'),
    body: newPassword,
    response: { 200: passwordSet },
    errors: [404, 409],
  });

const balanceDeal = words(BALANCE_OPERATIONS, {
  $id: 'BalanceDealType',
  default: 'DEAL_TYPE_BALANCE',
  description: 'As the deal has it afterwards; p4 has the first two only',
});
const balanceChange = record('NewPlatformBalanceOperation', {
  type: Type.Optional(balanceDeal),
  amount: Type.Number({
    minimum: -MAX_AMOUNT,
    maximum: MAX_AMOUNT,
    description: 'In the currency of the account; negative takes money away',
  }),
  comment: optionalText(100, 'Shown to the account holder; platforms keep the first 17 characters'),
});
const balanceChanged = record('PlatformBalanceOperation', {
  dealId: platformId('Deal or order of the platform that booked it'),
});

export const balanceOperation = (family: Family) =>
  defineOperation({
    operationId: `create${NAMES[family]}BalanceOperation`,
    method: 'POST',
    path: `${PROFILE[family]}/accounts/:login/balance-operations`,
    base: 'manager',
    scope: 'write',
    summary: 'Deposit, withdraw, or change the credit of an account',
    description: [
      'One effect for each Idempotency-Key, whatever is lost on the way: the operation is marked on',
      'the platform. The profile must allow balanceOperation.',
    ].join(' '),
    params: loginParams,
    headers: Type.Object({
      'idempotency-key': idempotencyKey(
        'Names the operation, for example the id of a payout. Remembered for 90 days: never use one again',
      ),
    }),
    body: balanceChange,
    response: { 201: balanceChanged },
    errors: [404, 409],
  });

const positionsToClose = record('PositionsToClose', {
  positionIds: Type.Optional(
    Type.Array(
      Type.String({
        maxLength: 20,
        pattern: '^[1-9][0-9]{0,19}$',
        expected: 'must be a ticket: digits',
        description: 'Ticket',
      }),
      { ...{ minItems: 1, maxItems: MAX_IDS }, description: 'All of the account where absent' },
    ),
  ),
  cancelPendingOrders: Type.Optional(
    Type.Boolean({ default: false, description: 'Cancel all orders that wait, before' }),
  ),
});
const stillOpen = record('PositionStillOpen', {
  id: platformId('Position or order'),
  message: answerText(1000, 'Why'),
});
const positionsClosed = record('PositionsClosed', {
  closed: ids('Positions that are not open any more, whoever closed them'),
  cancelled: ids('Orders that do not wait any more'),
  failed: Type.Array(stillOpen, { maxItems: MAX_OPEN, description: 'What is still open, and why' }),
});

export const closePositionsOperation = (family: Family) =>
  defineOperation({
    operationId: `close${NAMES[family]}Positions`,
    method: 'POST',
    path: `${PROFILE[family]}/accounts/:login/close-positions`,
    base: 'manager',
    scope: 'write',
    summary: 'Close positions of an account at the market',
    description: [
      'The answer tells what the platform has afterwards. The profile must allow closePositions.',
      'Disable trading first where the holder must not open others.',
    ].join('\n\n'),
    params: loginParams,
    headers,
    body: positionsToClose,
    longAnswer: 'as long as the list of the platform',
    response: { 200: positionsClosed },
    errors: [404, 409],
  });

const side = {
  symbol: platformId('Symbol'),
  volume: Type.Number({ description: 'Lots' }),
};
const inCurrency = (what: string) =>
  Type.Number({ description: `${what}, in the currency of the account` });
export const positionType = words(['DEAL_TYPE_BUY', 'DEAL_TYPE_SELL'], {
  $id: 'PositionType',
  description: 'Long or short',
});
const position = record('PlatformPosition', {
  positionId: platformId('Ticket'),
  type: positionType,
  ...side,
  openPrice: Type.Number({ description: 'Price of the entry' }),
  currentPrice: Type.Number({ description: 'Price that it would close at' }),
  profit: inCurrency('Result without swap'),
  swap: inCurrency('Swap'),
  openBrokerTime: brokerTimeText('When it was opened'),
});
const pendingOrder = record('PlatformPendingOrder', {
  orderId: platformId('Ticket'),
  type: answerText(64, 'ORDER_TYPE_…'),
  ...side,
  price: Type.Number({ description: 'Price that it waits for' }),
});

export const readPositionsOperation = (family: Family) =>
  defineOperation({
    operationId: `read${NAMES[family]}Positions`,
    method: 'GET',
    path: `${PROFILE[family]}/accounts/:login/positions`,
    base: 'manager',
    scope: 'read',
    summary: 'What an account has open now',
    description: 'As the platform has it now, in order of tickets.',
    params: loginParams,
    longAnswer: 'as long as the list of the platform',
    response: { 200: Type.Array(position, { maxItems: MAX_OPEN }) },
    errors: [404],
  });

export const readPendingOrdersOperation = (family: Family) =>
  defineOperation({
    operationId: `read${NAMES[family]}PendingOrders`,
    method: 'GET',
    path: `${PROFILE[family]}/accounts/:login/pending-orders`,
    base: 'manager',
    scope: 'read',
    summary: 'Orders of an account that wait for their price',
    description: 'As the platform has them now, in order of tickets.',
    params: loginParams,
    longAnswer: 'as long as the list of the platform',
    response: { 200: Type.Array(pendingOrder, { maxItems: MAX_OPEN }) },
    errors: [404],
  });
