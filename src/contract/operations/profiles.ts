import Type, { type Static } from 'typebox';
import { defineOperation } from '../operation.ts';
import { created, page, pathId, text } from '../primitives.ts';

export const profileParams = Type.Object({ profileId: pathId('Provisioning profile id') });

const MAX_PEM = 32_768;

const brokerClock = Type.Object(
  {
    zone: Type.String({ maxLength: 64, description: 'IANA zone, for example America/New_York' }),
    shiftHours: Type.Optional(Type.Number({ minimum: -24, maximum: 24, default: 0 })),
  },
  { additionalProperties: false, description: "The platform's wall clock: a zone's plus hours" },
);

const allowedActions = Type.Array(
  Type.Enum([
    'disableTrading',
    'enableTrading',
    'moveToGroup',
    'changeLeverage',
    'setPassword',
    'balanceOperation',
    'closePositions',
  ]),
  {
    ...{ maxItems: 7, uniqueItems: true },
    description: 'What may be done to accounts of the platform through this profile',
  },
);

const profile = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    platform: Type.Enum(['p4', 'p5']),
    kind: Type.Enum(['simulated', 'p5-web-api', 'p4-bridge']),
    server: Type.Optional(Type.String()),
    login: Type.Optional(Type.String()),
    tlsFingerprint: Type.Optional(Type.String()),
    brokerClock,
    allowedActions,
    createdAt: Type.String({ description: 'ISO time, UTC' }),
    connection: Type.Object(
      {
        state: Type.Enum(['untried', 'working', 'failing']),
        lastSuccessAt: Type.Optional(Type.String({ description: 'ISO time, UTC' })),
        lastErrorAt: Type.Optional(Type.String({ description: 'ISO time, UTC' })),
        lastError: Type.Optional(Type.String()),
      },
      { description: 'What became of the latest calls to the platform' },
    ),
  },
  { $id: 'ProvisioningProfile' },
);
export type ProfileRecord = Static<typeof profile>;

export const createProfileOperation = defineOperation({
  operationId: 'createProvisioningProfile',
  method: 'POST',
  path: '/users/current/provisioning-profiles',
  base: 'provisioning',
  scope: 'write',
  summary: 'Create a provisioning profile: how a platform is reached',
  description: [
    'simulated needs nothing else; p5-web-api needs server (https://host:443), login and',
    'password of a manager account; p4-bridge needs server and password (its token). The',
    'password is stored encrypted under PLIMSOLL_SECRET_KEY and never returned.',
  ].join(' '),
  body: Type.Object(
    {
      name: text(200, 'Name of the profile'),
      platform: Type.Enum(['p4', 'p5']),
      kind: Type.Enum(['simulated', 'p5-web-api', 'p4-bridge']),
      server: Type.Optional(text(512, 'https://host[:port] of the access server or bridge')),
      login: Type.Optional(
        Type.Union([text(64, 'Login of the manager account'), Type.Integer({ minimum: 1 })]),
      ),
      password: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 512,
          description: 'Kept encrypted, never returned',
        }),
      ),
      tlsFingerprint: Type.Optional(
        text(128, 'SHA-256 of the only certificate to accept, for self-signed ones'),
      ),
      tlsCa: Type.Optional(
        Type.String({ maxLength: MAX_PEM, description: 'PEM of the authority to trust' }),
      ),
      brokerClock: Type.Optional(brokerClock),
      allowedActions: Type.Optional(allowedActions),
    },
    { additionalProperties: false },
  ),
  response: { 201: created },
  errors: [409],
});

export const listProfilesOperation = defineOperation({
  operationId: 'listProvisioningProfiles',
  method: 'GET',
  path: '/users/current/provisioning-profiles',
  base: 'provisioning',
  scope: 'read',
  summary: 'List provisioning profiles in order of their ids',
  querystring: Type.Object(page),
  response: { 200: Type.Array(profile) },
});

export const readProfileOperation = defineOperation({
  operationId: 'readProvisioningProfile',
  method: 'GET',
  path: '/users/current/provisioning-profiles/:profileId',
  base: 'provisioning',
  scope: 'read',
  summary: 'Read a provisioning profile and the state of its connection',
  params: profileParams,
  response: { 200: profile },
  errors: [404],
});

export const updateProfileOperation = defineOperation({
  operationId: 'updateProvisioningProfile',
  method: 'PATCH',
  path: '/users/current/provisioning-profiles/:profileId',
  base: 'provisioning',
  scope: 'write',
  summary: 'Rename a provisioning profile, change its password or what it allows',
  description: [
    'To allow further actions takes the password of the profile again, so that a stolen token',
    'moves no money; simulated platforms have none.',
  ].join(' '),
  params: profileParams,
  body: Type.Object(
    {
      name: Type.Optional(text(200, 'Name of the profile')),
      allowedActions: Type.Optional(allowedActions),
      password: Type.Optional(
        Type.String({ minLength: 1, maxLength: 512, description: 'The one that is stored' }),
      ),
      newPassword: Type.Optional(
        Type.String({ minLength: 1, maxLength: 512, description: 'Kept encrypted from now on' }),
      ),
    },
    { additionalProperties: false, minProperties: 1 },
  ),
  response: { 200: profile },
  errors: [404],
});

export const deleteProfileOperation = defineOperation({
  operationId: 'deleteProvisioningProfile',
  method: 'DELETE',
  path: '/users/current/provisioning-profiles/:profileId',
  base: 'provisioning',
  scope: 'write',
  summary: 'Delete a provisioning profile and its credentials',
  params: profileParams,
  querystring: Type.Object({
    force: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Delete it although accounts are read through it: they stay, unbound',
      }),
    ),
  }),
  response: { 204: null },
  errors: [404, 409],
});
