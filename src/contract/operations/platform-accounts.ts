import Type from 'typebox';
import { defineOperation } from '../operation.ts';
import { answerText, emailAddress, optionalText, pathId, record, text } from '../primitives.ts';
import { profileParams } from './profiles.ts';

/** Most records in one answer; platforms have fewer in a group. */
const MAX_USERS = 1_000_000;
const MAX_SYMBOLS = 100_000;

const MAX_GROUPS = 100_000;
const login = Type.Integer({
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'Login of the account on its platform',
});
export const loginParams = Type.Object({ ...profileParams.properties, login });
const groupParams = Type.Object({
  ...profileParams.properties,
  groupName: pathId('Name of the group, percent-encoded'),
});

const userText = (description: string) => answerText(1000, description);
const userFields = {
  login: userText('Login'),
  address: userText('Street and number'),
  balance: userText("Balance, in the account's currency"),
  city: userText('City'),
  country: userText('Country'),
  email: userText('E-mail address'),
  group: userText('Group'),
  leverage: userText('100 means 1:100'),
  name: userText('Name'),
  phone: userText('Telephone'),
  state: userText('State or region'),
  zip: userText('Postal code'),
  clientId: userText("Id in the broker's own system"),
};
const platformUser = record('PlatformUser', userFields, {
  description: 'Account record of a platform; every value is text',
});
const platformUserWithLead = record(
  'PlatformUserWithLead',
  {
    ...userFields,
    leadSource: userText('Where the client came from'),
    leadCampaign: userText('Campaign that brought the client'),
  },
  { description: 'Account record of a p5 platform, with its lead fields' },
);

const accountInformation = record('AccountInformation', {
  platform: answerText(8, 'mt4 or mt5'),
  broker: userText('Name of the broker'),
  currency: answerText(64, 'Currency of the account'),
  balance: Type.Number({ description: 'Balance, in that currency' }),
  equity: Type.Number({ description: 'Equity, in that currency' }),
  margin: Type.Number({ description: 'Margin in use, in that currency' }),
  freeMargin: Type.Number({ description: 'Free margin, in that currency' }),
  leverage: Type.Number({ description: '100 means 1:100' }),
  marginLevel: Type.Number({
    description: 'Equity in percent of margin; 0 while no margin is used, as platforms state it',
  }),
  tradeAllowed: Type.Boolean({ description: 'Whether the account may trade' }),
  marginMode: answerText(64, 'ACCOUNT_MARGIN_MODE_…'),
  name: userText('Name of the account'),
  login: Type.Number({ description: 'Login' }),
  credit: Type.Number({ description: 'Credit, in that currency' }),
});

const createdAccount = record('CreatedAccount', {
  login: answerText(32, 'Login of the new account'),
  password: answerText(256, 'Password; only in this answer'),
  investorPassword: answerText(256, 'Read-only password; only in this answer'),
});

const newAccount = record('NewPlatformAccount', {
  email: emailAddress("Account holder's e-mail address"),
  group: text(255, "Group in the platform's hierarchy"),
  leverage: Type.Number({
    exclusiveMinimum: 0,
    maximum: 100_000,
    description: '100 means 1:100; platforms accept whole numbers only',
  }),
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
  clientId: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: "Id in the broker's own system",
    }),
  ),
  enabled: Type.Optional(Type.Boolean({ default: true, description: 'Whether it may be used' })),
});

/** Longer keys are invalid. */
export const idempotencyKey = (description: string) =>
  Type.String({ minLength: 1, maxLength: 255, description });

const idempotencyHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    idempotencyKey('A request repeated with its key opens no second account; kept for a day'),
  ),
});

const symbol = record('Platform4Symbol', {
  symbol: userText('Symbol'),
  description: userText('Description'),
  source: userText('Symbol that its prices come from'),
  currency: answerText(64, 'Currency'),
  type: Type.Integer({ description: 'Index of the security group' }),
  tickSize: Type.Number({ description: 'Smallest step of the price' }),
  tickValue: Type.Number({ description: 'Value of that step' }),
  digits: Type.Integer({ description: 'Decimal digits of the price' }),
  marginMode: answerText(64, 'MARGIN_CALC_…'),
  profitMode: answerText(64, 'PROFIT_CALC_…'),
  freezeLevel: Type.Number({ description: 'Points' }),
  point: Type.Number({ description: 'Size of a point' }),
  multiply: Type.Number({ description: 'Factor of the price' }),
  bidTickValue: Type.Number({ description: 'Value of a tick of the bid' }),
  askTickValue: Type.Number({ description: 'Value of a tick of the ask' }),
  stopsLevel: Type.Number({ description: 'Points' }),
  expiration: Type.Number({ description: 'Epoch time in milliseconds; 0: never' }),
  tradeMode: answerText(64, 'TRADE_…'),
});

const p5Symbol = record('Platform5Symbol', {
  symbol: userText('Symbol'),
  path: userText("Path in the platform's tree, including its name"),
  description: userText('Description'),
  currencyBase: answerText(64, 'Currency that is traded'),
  currencyProfit: answerText(64, 'Currency of profit'),
  currencyMargin: answerText(64, 'Currency of margin'),
  digits: Type.Integer({ description: 'Decimal digits of the price' }),
  contractSize: Type.Number({ description: 'Units of one lot' }),
  marginMode: answerText(64, 'SYMBOL_CALC_MODE_…'),
  tradeMode: answerText(64, 'SYMBOL_TRADE_MODE_…'),
  volumeMin: Type.Number({ description: 'Lots' }),
  volumeMax: Type.Number({ description: 'Lots' }),
  volumeStep: Type.Number({ description: 'Lots' }),
  tickSize: Type.Number({ description: 'Smallest step of the price' }),
  tickValue: Type.Number({ description: 'Value of that step' }),
  expiration: Type.Number({ description: 'Epoch time in milliseconds; 0: never' }),
});

const platformGroup = record('PlatformGroup', {
  name: userText('Name of the group'),
  currency: answerText(64, 'Currency of its accounts'),
});

export const PROFILE = {
  p4: '/users/current/p4/provisioning-profiles/:profileId',
  p5: '/users/current/p5/provisioning-profiles/:profileId',
} as const;
export const NAMES = { p4: 'P4', p5: 'P5' } as const;
export type Family = keyof typeof PROFILE;
/** The reference requests read with POST and an empty body, so both methods are served. */
export type ReadMethod = 'GET' | 'POST';
const suffixOf = (method: ReadMethod): string => (method === 'POST' ? 'ByPost' : '');
const isOld = (method: ReadMethod) => (method === 'POST' ? { deprecated: true } : {});
const described = (method: ReadMethod, description: string): string =>
  method === 'GET' ? description : 'Equivalent to GET; the body is ignored.';

export const symbolsGroupOperation = defineOperation({
  operationId: 'readP4Symbols',
  method: 'GET',
  path: `${PROFILE.p4}/symbolsGroup`,
  base: 'manager',
  scope: 'read',
  summary: 'Symbols of a p4 security group',
  description: 'By default of all groups. 400 for an unknown profile.',
  params: profileParams,
  querystring: Type.Object({
    group: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 31, description: 'Index of the security group' }),
    ),
  }),
  longAnswer: 'as long as the list of the platform',
  response: { 200: Type.Array(symbol, { maxItems: MAX_SYMBOLS }) },
});

export const p5SymbolsOperation = defineOperation({
  operationId: 'readP5Symbols',
  method: 'GET',
  path: `${PROFILE.p5}/symbols`,
  base: 'manager',
  scope: 'read',
  summary: 'Symbols of a p5 platform',
  description: 'Those whose paths match a mask; by default all.',
  params: profileParams,
  querystring: Type.Object({
    mask: Type.Optional(
      text(255, 'Masks of paths separated by commas; * stands for any text, ! leaves out'),
    ),
  }),
  longAnswer: 'as long as the list of the platform',
  response: { 200: Type.Array(p5Symbol, { maxItems: MAX_SYMBOLS }) },
  errors: [404],
});

export const groupsOperation = (family: Family) =>
  defineOperation({
    operationId: `read${NAMES[family]}Groups`,
    method: 'GET',
    path: `${PROFILE[family]}/groups`,
    base: 'manager',
    scope: 'read',
    summary: 'Groups of a platform',
    description: "Those visible to the profile's login.",
    params: profileParams,
    longAnswer: 'as long as the list of the platform',
    response: { 200: Type.Array(platformGroup, { maxItems: MAX_GROUPS }) },
    errors: [404],
  });

export const readP5UserOperation = (method: ReadMethod) =>
  defineOperation({
    operationId: `readP5Account${suffixOf(method)}`,
    method,
    path: `${PROFILE.p5}/accounts/:login`,
    base: 'manager',
    scope: 'read',
    summary: 'A p5 account by its login',
    description: described(method, 'The client record, with its lead fields.'),
    params: loginParams,
    response: { 200: platformUserWithLead },
    errors: [404],
    ...isOld(method),
  });

export const readP4UserOperation = (method: ReadMethod) =>
  defineOperation({
    operationId: `readP4Account${suffixOf(method)}`,
    method,
    path: `${PROFILE.p4}/accounts/:login`,
    base: 'manager',
    scope: 'read',
    summary: 'A p4 account by its login',
    description: described(method, 'The client record.'),
    params: loginParams,
    response: { 200: platformUser },
    errors: [404],
    ...isOld(method),
  });

export const accountInformationOperation = (family: Family, method: ReadMethod) =>
  defineOperation({
    operationId: `read${NAMES[family]}AccountInformation${suffixOf(method)}`,
    method,
    path: `${PROFILE[family]}/accounts/:login/account-information`,
    base: 'manager',
    scope: 'read',
    summary: `Balance, equity and margin of a ${family} account`,
    description: described(method, 'Current values on the platform.'),
    params: loginParams,
    response: { 200: accountInformation },
    errors: [404],
    ...isOld(method),
  });

export const groupAccountsOperation = (family: Family, method: ReadMethod) =>
  defineOperation({
    operationId: `read${NAMES[family]}GroupAccounts${suffixOf(method)}`,
    method,
    path: `${PROFILE[family]}/groups/:groupName/accounts`,
    base: 'manager',
    scope: 'read',
    summary: `Accounts of a ${family} group`,
    description: described(
      method,
      'Client records; none if the group is empty or unknown. 400 for an unknown profile.',
    ),
    params: groupParams,
    longAnswer: 'as long as the list of the platform',
    response: { 200: Type.Array(platformUser, { maxItems: MAX_USERS }) },
    ...isOld(method),
  });

export const openAccountOperation = (family: Family) =>
  defineOperation({
    operationId: `create${NAMES[family]}Account`,
    method: 'POST',
    path: `${PROFILE[family]}/accounts`,
    base: 'manager',
    scope: 'write',
    summary: `Open a ${family} account on the platform`,
    description:
      'The server generates the passwords, which are only in this answer. 400 if the platform refuses the values, and for an unknown profile.',
    params: profileParams,
    headers: idempotencyHeaders,
    body: newAccount,
    response: { 201: createdAccount },
    errors: [409],
  });
