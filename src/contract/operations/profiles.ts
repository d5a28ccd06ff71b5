import Type, { type Static } from 'typebox';
import { PROFILE_KINDS } from '../../words/accounts.ts';
import { PROFILE_ACTIONS } from '../../words/actions.ts';
import { defineOperation } from '../operation.ts';
import {
  answerText,
  brokerClock,
  created,
  flag,
  idText,
  isoTime,
  linkedPageOf,
  page,
  pathId,
  record,
  text,
  words,
} from '../primitives.ts';
import { platform } from './accounts.ts';

export const profileParams = Type.Object({ profileId: pathId('Provisioning profile id') });

const MAX_PEM = 32_768;

const kind = words(PROFILE_KINDS, {
  $id: 'ProfileKind',
  description: 'How the platform is reached',
});

const profileAction = words(PROFILE_ACTIONS, {
  $id: 'ProfileAction',
  description:
    'Rights on an account of a platform; actAtBreach: broken limits may use the other rights, too',
});
const actions = (description: string) =>
  Type.Array(profileAction, { maxItems: PROFILE_ACTIONS.length, uniqueItems: true, description });
const allowedActions = actions('Rights on accounts of the platform through this profile');

const profile = record('ProvisioningProfile', {
  id: idText('Provisioning profile id'),
  name: answerText(200, 'Name of the profile'),
  platform,
  kind,
  server: Type.Optional(answerText(512, 'Address of the access server or bridge')),
  login: Type.Optional(answerText(64, 'Login of the manager account')),
  tlsFingerprint: Type.Optional(answerText(128, 'SHA-256 of the only certificate to accept')),
  brokerClock,
  allowedActions,
  createdAt: isoTime('When the profile was created'),
  connection: record(
    'ProfileConnection',
    {
      state: words(['untried', 'working', 'failing', 'locked'], {
        description:
          'By the latest calls; locked: the password is encrypted under a key that the server lacks',
      }),
      lastSuccessAt: Type.Optional(isoTime('When a call last succeeded')),
      lastErrorAt: Type.Optional(isoTime('When a call last failed')),
      lastError: Type.Optional(answerText(4000, 'Why it failed')),
    },
    { description: 'Outcome of the latest calls to the platform' },
  ),
});
export type ProfileRecord = Static<typeof profile>;

/** A number or any words: bridges use their own words. */
const managerLogin = Type.Union(
  [
    text(64, 'Login of the manager account'),
    Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  ],
  { $id: 'ManagerLogin', description: 'Login of the manager account: a number, or text' },
);

const newProfile = record('NewProvisioningProfile', {
  name: text(200, 'Name of the profile'),
  platform,
  kind,
  server: Type.Optional(text(512, 'https://host[:port] of the access server or bridge')),
  login: Type.Optional(managerLogin),
  password: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 512,
      description: 'Password, or the token of a bridge; kept encrypted, never returned',
    }),
  ),
  tlsFingerprint: Type.Optional(
    text(128, 'SHA-256 of the only certificate to accept, for self-signed ones'),
  ),
  tlsCa: Type.Optional(
    Type.String({
      maxLength: MAX_PEM,
      pattern: '^[\\t\\r\\n\\x20-\\x7e]*$',
      expected: 'must be PEM: plain ASCII text',
      description: 'PEM of the authority to trust',
    }),
  ),
  brokerClock: Type.Optional(brokerClock),
  allowedActions: Type.Optional(allowedActions),
});
export type NewProfile = Static<typeof newProfile>;

const PATH = '/users/current/provisioning-profiles';

export const createProfileOperation = defineOperation({
  operationId: 'createProvisioningProfile',
  method: 'POST',
  path: PATH,
  base: 'provisioning',
  scope: 'write',
  summary: 'Create a provisioning profile',
  description:
    'How a platform is reached. simulated needs nothing else; p5-web-api needs server (https://host:443), login and password of a manager account; p4-bridge needs server and password (its token).\n\nThe password is stored encrypted under PLIMSOLL_SECRET_KEY and never returned.',
  body: newProfile,
  response: { 201: created },
  errors: [409],
});

export const listProfilesOperation = defineOperation({
  operationId: 'listProvisioningProfiles',
  method: 'GET',
  path: PATH,
  base: 'provisioning',
  scope: 'read',
  summary: 'List provisioning profiles',
  description: 'In the order of their ids.',
  querystring: Type.Object(page),
  response: { 200: linkedPageOf(profile) },
  isPaged: true,
});

export const readProfileOperation = defineOperation({
  operationId: 'readProvisioningProfile',
  method: 'GET',
  path: `${PATH}/:profileId`,
  base: 'provisioning',
  scope: 'read',
  summary: 'Read a provisioning profile',
  description: 'With the state of its connection, without its password.',
  params: profileParams,
  response: { 200: profile },
  errors: [404],
});

/** Rights in neither list stay unchanged, as they may just have been set by someone else. */
const profileChange = record(
  'ProvisioningProfileChange',
  {
    name: Type.Optional(text(200, 'Name of the profile')),
    allow: Type.Optional(actions('Allowed from now on')),
    forbid: Type.Optional(actions('No longer allowed')),
    password: Type.Optional(
      Type.String({ minLength: 1, maxLength: 512, description: 'The stored password' }),
    ),
    newPassword: Type.Optional(
      Type.String({ minLength: 1, maxLength: 512, description: 'Kept encrypted from now on' }),
    ),
  },
  { minProperties: 1 },
);
export type ProfileChange = Static<typeof profileChange>;

export const updateProfileOperation = defineOperation({
  operationId: 'updateProvisioningProfile',
  method: 'PATCH',
  path: '/users/current/provisioning-profiles/:profileId',
  base: 'provisioning',
  scope: 'write',
  summary: 'Rename a provisioning profile, change its password or its rights',
  description: "Allowing further actions requires the profile's password again, if it has one.",
  params: profileParams,
  body: profileChange,
  response: { 200: profile },
  errors: [404],
});

export const deleteProfileOperation = defineOperation({
  operationId: 'deleteProvisioningProfile',
  method: 'DELETE',
  path: `${PATH}/:profileId`,
  base: 'provisioning',
  scope: 'write',
  summary: 'Delete a provisioning profile',
  description: 'With its credentials. Accounts read through it need `force`: they stay, unbound.',
  params: profileParams,
  querystring: Type.Object({
    force: flag('Delete it although accounts are read through it: they stay, unbound'),
  }),
  response: { 204: null },
  errors: [404, 409],
});
