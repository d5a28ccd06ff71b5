import Type, { type Static } from 'typebox';
import { defineOperation } from '../operation.ts';
import { created, currency, identifier, page, pathId, text } from '../primitives.ts';

export const accountParams = Type.Object({ accountId: pathId('Account id') });

const brokerClock = Type.Object(
  {
    zone: Type.String({ maxLength: 64, description: 'IANA zone, for example America/New_York' }),
    shiftHours: Type.Optional(Type.Number({ minimum: -24, maximum: 24, default: 0 })),
  },
  {
    additionalProperties: false,
    description: "The broker's wall clock: that of a zone plus hours",
  },
);

const MARGIN_MODES = [
  'ACCOUNT_MARGIN_MODE_RETAIL_NETTING',
  'ACCOUNT_MARGIN_MODE_EXCHANGE',
  'ACCOUNT_MARGIN_MODE_RETAIL_HEDGING',
] as const;

const fields = {
  name: text(200, 'Name of the account'),
  broker: text(200, 'Broker'),
  leverage: Type.Number({ exclusiveMinimum: 0, maximum: 100_000 }),
  brokerClock,
  tier: Type.Enum(['g1', 'g2']),
  copy: Type.Boolean({ description: 'Takes part in copy trading' }),
  dedicatedIpv4: Type.Boolean({ description: 'Uses a dedicated IPv4 address' }),
  deployed: Type.Boolean(),
  statisticsEnabled: Type.Boolean({ description: 'Off: historical trades and metrics answer 403' }),
  marginMode: Type.Enum([...MARGIN_MODES]),
  profileId: identifier('Provisioning profile that the account is read through'),
};

const account = Type.Object(
  {
    id: Type.String(),
    ...fields,
    platform: Type.Enum(['p4', 'p5']),
    login: Type.String(),
    currency: Type.String(),
    region: Type.String(),
    profileId: Type.Optional(fields.profileId),
    createdAt: Type.String({ description: 'ISO time, UTC' }),
  },
  { $id: 'Account' },
);
export type AccountRecord = Static<typeof account>;

export const createAccountOperation = defineOperation({
  operationId: 'createAccount',
  method: 'POST',
  path: '/users/current/accounts',
  base: 'provisioning',
  scope: 'write',
  summary: 'Create an account',
  body: Type.Object(
    {
      id: Type.Optional(identifier('Id of your choice; a UUID where absent')),
      platform: Type.Enum(['p4', 'p5']),
      login: Type.Union([Type.String({ pattern: '^[0-9]{1,18}$' }), Type.Integer({ minimum: 0 })]),
      currency,
      name: fields.name,
      broker: fields.broker,
      leverage: fields.leverage,
      region: Type.Optional(identifier('Region')),
      ...Type.Partial(
        Type.Object({
          brokerClock,
          tier: fields.tier,
          copy: fields.copy,
          dedicatedIpv4: fields.dedicatedIpv4,
          deployed: fields.deployed,
          statisticsEnabled: fields.statisticsEnabled,
          marginMode: fields.marginMode,
          profileId: fields.profileId,
        }),
      ).properties,
    },
    { additionalProperties: false },
  ),
  response: { 201: created },
  errors: [409],
});

export const listAccountsOperation = defineOperation({
  operationId: 'listAccounts',
  method: 'GET',
  path: '/users/current/accounts',
  base: 'provisioning',
  scope: 'read',
  summary: 'List accounts in order of their ids',
  querystring: Type.Object(page),
  isLong: true,
  response: { 200: Type.Array(account) },
});

export const readAccountOperation = defineOperation({
  operationId: 'readAccount',
  method: 'GET',
  path: '/users/current/accounts/:accountId',
  base: 'provisioning',
  scope: 'read',
  summary: 'Read an account',
  params: accountParams,
  response: { 200: account },
  errors: [404],
});

export const updateAccountOperation = defineOperation({
  operationId: 'updateAccount',
  method: 'PATCH',
  path: '/users/current/accounts/:accountId',
  base: 'provisioning',
  scope: 'write',
  summary: 'Change an account; id, platform, login, currency and region stay',
  params: accountParams,
  body: Type.Partial(Type.Object(fields), { additionalProperties: false, minProperties: 1 }),
  response: { 200: account },
  errors: [404],
});

export const deleteAccountOperation = defineOperation({
  operationId: 'deleteAccount',
  method: 'DELETE',
  path: '/users/current/accounts/:accountId',
  base: 'provisioning',
  scope: 'write',
  summary: 'Delete an account and all that is stored about it',
  params: accountParams,
  response: { 204: null },
  errors: [404],
});
