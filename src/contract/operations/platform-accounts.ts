import Type from 'typebox';
import { defineOperation } from '../operation.ts';
import { optionalText, pathId, text } from '../primitives.ts';
import { profileParams } from './profiles.ts';

const login = Type.Integer({
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'Login of the account',
});
const loginParams = Type.Object({ ...profileParams.properties, login });
const groupParams = Type.Object({
  ...profileParams.properties,
  groupName: pathId('Name of the group, percent-encoded'),
});

const userFields = {
  login: Type.String(),
  address: Type.String(),
  balance: Type.String(),
  city: Type.String(),
  country: Type.String(),
  email: Type.String(),
  group: Type.String(),
  leverage: Type.String(),
  name: Type.String(),
  phone: Type.String(),
  state: Type.String(),
  zip: Type.String(),
  clientId: Type.String(),
};
const platformUser = Type.Object(userFields, { $id: 'PlatformUser' });
const platformUserWithLead = Type.Object(
  { ...userFields, leadSource: Type.String(), leadCampaign: Type.String() },
  { $id: 'PlatformUserWithLead' },
);

const accountInformation = Type.Object(
  {
    platform: Type.String({ description: 'mt4 or mt5' }),
    broker: Type.String(),
    currency: Type.String(),
    balance: Type.Number(),
    equity: Type.Number(),
    margin: Type.Number(),
    freeMargin: Type.Number(),
    leverage: Type.Number(),
    marginLevel: Type.Optional(
      Type.Number({ description: 'Percent; absent while no margin is used' }),
    ),
    tradeAllowed: Type.Boolean(),
    marginMode: Type.String({ description: 'ACCOUNT_MARGIN_MODE_…' }),
    name: Type.String(),
    login: Type.Number(),
    credit: Type.Number(),
  },
  { $id: 'AccountInformation' },
);

const createdAccount = Type.Object(
  {
    login: Type.String(),
    password: Type.String({ description: 'In this answer and nowhere else' }),
    investorPassword: Type.String({ description: 'In this answer and nowhere else' }),
  },
  { $id: 'CreatedAccount' },
);

const newAccount = Type.Object(
  {
    email: Type.String({
      maxLength: 254,
      pattern: '^[^\\s@\\p{Cc}<>,;:"]+@[^\\s@\\p{Cc}<>,;:"]+$',
      description: "Account holder's e-mail",
    }),
    group: text(255, "Group in the platform's hierarchy"),
    leverage: Type.Integer({ minimum: 1, maximum: 10_000 }),
    address: optionalText(255, 'Street and number'),
    city: optionalText(100, 'City'),
    country: optionalText(100, 'Country'),
    firstName: optionalText(100, 'First name'),
    middleName: optionalText(100, 'Middle name'),
    lastName: optionalText(100, 'Last name'),
    phone: optionalText(50, 'Telephone'),
    state: optionalText(100, 'State or region'),
    zip: optionalText(32, 'Postal code'),
    leadSource: optionalText(100, 'Where the client came from'),
    leadCampaign: optionalText(100, 'Campaign that brought the client'),
    clientId: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
    enabled: Type.Optional(Type.Boolean({ default: true })),
  },
  { additionalProperties: false },
);

/** Longer keys are no keys; the header is optional. */
const idempotencyHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description: 'A request repeated with its key opens no second account; kept for a day',
    }),
  ),
});

const PROFILE = {
  p4: '/users/current/p4/provisioning-profiles/:profileId',
  p5: '/users/current/p5/provisioning-profiles/:profileId',
} as const;
const NAMES = { p4: 'P4', p5: 'P5' } as const;
type Family = keyof typeof PROFILE;
/** The reference requests read with POST and an empty body, so both methods are served. */
type ReadMethod = 'GET' | 'POST';
const byPost = (method: ReadMethod): string => (method === 'POST' ? 'ByPost' : '');

export const symbolsGroupOperation = defineOperation({
  operationId: 'readP4Symbols',
  method: 'GET',
  path: `${PROFILE.p4}/symbolsGroup`,
  base: 'manager',
  scope: 'read',
  summary: 'Symbols of a security group, of all groups when none is given',
  params: profileParams,
  querystring: Type.Object({
    group: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 31, description: 'Index of the security group' }),
    ),
  }),
  isLong: true,
  response: {
    200: Type.Array(
      Type.Object(
        {
          symbol: Type.String(),
          description: Type.String(),
          source: Type.String(),
          currency: Type.String(),
          type: Type.Integer({ description: 'Index of the security group' }),
          tickSize: Type.Number(),
          tickValue: Type.Number(),
          digits: Type.Integer(),
          marginMode: Type.String({ description: 'MARGIN_CALC_…' }),
          profitMode: Type.String({ description: 'PROFIT_CALC_…' }),
          freezeLevel: Type.Number(),
          point: Type.Number(),
          multiply: Type.Number(),
          bidTickValue: Type.Number(),
          askTickValue: Type.Number(),
          stopsLevel: Type.Number(),
          expiration: Type.Number({ description: 'Epoch time in milliseconds; 0: never' }),
          tradeMode: Type.String({ description: 'TRADE_…' }),
        },
        { $id: 'Platform4Symbol' },
      ),
    ),
  },
  errors: [404],
});

export const readP5UserOperation = (method: ReadMethod) =>
  defineOperation({
    operationId: `readP5Account${byPost(method)}`,
    method,
    path: `${PROFILE.p5}/accounts/:login`,
    base: 'manager',
    scope: 'read',
    summary: 'Client record of a login',
    params: loginParams,
    response: { 200: platformUserWithLead },
    errors: [404],
  });

export const readP4UserOperation = (method: ReadMethod) =>
  defineOperation({
    operationId: `readP4Account${byPost(method)}`,
    method,
    path: `${PROFILE.p4}/accounts/:login`,
    base: 'manager',
    scope: 'read',
    summary: 'Client record of a login',
    params: loginParams,
    response: { 200: platformUser },
    errors: [404],
  });

export const accountInformationOperation = (family: Family, method: ReadMethod) =>
  defineOperation({
    operationId: `read${NAMES[family]}AccountInformation${byPost(method)}`,
    method,
    path: `${PROFILE[family]}/accounts/:login/account-information`,
    base: 'manager',
    scope: 'read',
    summary: 'Balance, equity and margin of a login now',
    params: loginParams,
    response: { 200: accountInformation },
    errors: [404],
  });

export const groupAccountsOperation = (family: Family, method: ReadMethod) =>
  defineOperation({
    operationId: `read${NAMES[family]}GroupAccounts${byPost(method)}`,
    method,
    path: `${PROFILE[family]}/groups/:groupName/accounts`,
    base: 'manager',
    scope: 'read',
    summary: 'Client records of a group; none when it is empty or unknown',
    params: groupParams,
    response: { 200: Type.Array(platformUser) },
    errors: [404],
  });

export const openAccountOperation = (family: Family) =>
  defineOperation({
    operationId: `create${NAMES[family]}Account`,
    method: 'POST',
    path: `${PROFILE[family]}/accounts`,
    base: 'manager',
    scope: 'write',
    summary: 'Open an account on the platform',
    params: profileParams,
    headers: idempotencyHeaders,
    body: newAccount,
    response: { 201: createdAccount },
    errors: [404, 409],
  });
