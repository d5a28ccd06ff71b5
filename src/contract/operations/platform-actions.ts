import Type from 'typebox';
import { defineOperation } from '../operation.ts';
import { optionalText, text } from '../primitives.ts';
import { type Family, idempotencyKey, loginParams, NAMES, PROFILE } from './platform-accounts.ts';

/** Ids of one request, and positions that an account may have open. */
const MAX_IDS = 1_000;
const MAX_AMOUNT = 1_000_000_000;

const ids = (description: string) =>
  Type.Array(Type.String({ maxLength: 64 }), { maxItems: 10_000, description });

const accountSettings = Type.Object(
  {
    enabled: Type.Boolean({ description: 'Whether its holder may log in' }),
    tradingEnabled: Type.Boolean({ description: 'Whether its holder may trade' }),
    group: Type.String({ maxLength: 255 }),
    leverage: Type.Integer(),
  },
  { $id: 'PlatformAccountSettings' },
);

const headers = Type.Object({
  'idempotency-key': Type.Optional(
    idempotencyKey('A request repeated with its key gets the answer of the first; kept for a day'),
  ),
});

export const readAccountSettingsOperation = (family: Family) =>
  defineOperation({
    operationId: `read${NAMES[family]}AccountSettings`,
    method: 'GET',
    path: `${PROFILE[family]}/accounts/:login/settings`,
    base: 'manager',
    scope: 'read',
    summary: 'What an account may do and where it belongs',
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
    body: Type.Object(
      {
        enabled: Type.Optional(Type.Boolean({ description: 'Whether its holder may log in' })),
        tradingEnabled: Type.Optional(
          Type.Boolean({ description: 'Whether its holder may trade' }),
        ),
        group: Type.Optional(text(255, 'Group of the same currency')),
        leverage: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000 })),
      },
      { additionalProperties: false, minProperties: 1 },
    ),
    response: { 200: accountSettings },
    errors: [404, 409],
  });

const kindOfPassword = Type.Enum(['main', 'investor'], {
  description: 'investor: the password for looking only',
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
    headers: Type.Object({
      'idempotency-key': Type.Optional(
        idempotencyKey('A request repeated with its key sets the password again; kept for a day'),
      ),
    }),
    body: Type.Object(
      {
        kind: kindOfPassword,
        password: Type.Optional(
          Type.String({
            minLength: 8,
            maxLength: 64,
            pattern: '^[^\\p{Cc}]*$',
            description: 'Made by Plimsoll where absent. Neither stored nor logged',
          }),
        ),
      },
      { additionalProperties: false },
    ),
    response: {
      200: Type.Object(
        {
          kind: kindOfPassword,
          password: Type.Optional(
            Type.String({ description: 'The one that was made: in this answer and nowhere else' }),
          ),
        },
        { $id: 'PlatformPassword' },
      ),
    },
    errors: [404, 409],
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
    body: Type.Object(
      {
        type: Type.Optional(
          Type.Enum(
            [
              'DEAL_TYPE_BALANCE',
              'DEAL_TYPE_CREDIT',
              'DEAL_TYPE_CHARGE',
              'DEAL_TYPE_CORRECTION',
              'DEAL_TYPE_BONUS',
            ],
            {
              default: 'DEAL_TYPE_BALANCE',
              description: 'As the deal has it afterwards; p4 has the first two only',
            },
          ),
        ),
        amount: Type.Number({
          minimum: -MAX_AMOUNT,
          maximum: MAX_AMOUNT,
          description: 'In the currency of the account; negative takes money away',
        }),
        comment: optionalText(
          100,
          'Shown to the account holder; platforms keep the first 17 characters',
        ),
      },
      { additionalProperties: false },
    ),
    response: {
      201: Type.Object(
        { dealId: Type.String({ description: 'Deal or order of the platform that booked it' }) },
        { $id: 'PlatformBalanceOperation' },
      ),
    },
    errors: [404, 409],
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
      'The answer tells what the platform has afterwards. Disable trading first where the holder',
      'must not open others. The profile must allow closePositions.',
    ].join(' '),
    params: loginParams,
    headers,
    body: Type.Object(
      {
        positionIds: Type.Optional(
          Type.Array(Type.String({ pattern: '^[1-9][0-9]{0,19}$' }), {
            ...{ minItems: 1, maxItems: MAX_IDS },
            description: 'All of the account where absent',
          }),
        ),
        cancelPendingOrders: Type.Optional(
          Type.Boolean({ default: false, description: 'Cancel all orders that wait, before' }),
        ),
      },
      { additionalProperties: false },
    ),
    response: {
      200: Type.Object(
        {
          closed: ids('Positions that are not open any more, whoever closed them'),
          cancelled: ids('Orders that do not wait any more'),
          failed: Type.Array(
            Type.Object({
              id: Type.String({ maxLength: 64 }),
              message: Type.String({ maxLength: 1000 }),
            }),
            { maxItems: 10_000, description: 'What is still open, and why' },
          ),
        },
        { $id: 'PositionsClosed' },
      ),
    },
    errors: [404, 409],
  });

const side = {
  symbol: Type.String({ maxLength: 64 }),
  volume: Type.Number({ description: 'Lots' }),
};

export const readPositionsOperation = (family: Family) =>
  defineOperation({
    operationId: `read${NAMES[family]}Positions`,
    method: 'GET',
    path: `${PROFILE[family]}/accounts/:login/positions`,
    base: 'manager',
    scope: 'read',
    summary: 'What an account has open now',
    params: loginParams,
    response: {
      200: Type.Array(
        Type.Object(
          {
            positionId: Type.String({ maxLength: 64 }),
            type: Type.Enum(['DEAL_TYPE_BUY', 'DEAL_TYPE_SELL']),
            ...side,
            openPrice: Type.Number(),
            currentPrice: Type.Number(),
            profit: Type.Number({ description: 'In the currency of the account' }),
            swap: Type.Number({ description: 'In the currency of the account' }),
            openBrokerTime: Type.String({ description: 'YYYY-MM-DD HH:mm:ss.SSS, broker time' }),
          },
          { $id: 'PlatformPosition' },
        ),
        { maxItems: 10_000 },
      ),
    },
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
    params: loginParams,
    response: {
      200: Type.Array(
        Type.Object(
          {
            orderId: Type.String({ maxLength: 64 }),
            type: Type.String({ maxLength: 64, description: 'ORDER_TYPE_…' }),
            ...side,
            price: Type.Number({ description: 'Price that it waits for' }),
          },
          { $id: 'PlatformPendingOrder' },
        ),
        { maxItems: 10_000 },
      ),
    },
    errors: [404],
  });
