import Type, { type Static } from 'typebox';
import { MARGIN_MODES, PLATFORMS, TIERS } from '../../words/accounts.ts';
import { defineOperation } from '../operation.ts';
import {
  answerText,
  brokerClock,
  count,
  created,
  currency,
  identifier,
  idText,
  isoTime,
  linkedPageOf,
  page,
  pathId,
  record,
  text,
  words,
} from '../primitives.ts';

export const accountParams = Type.Object({ accountId: pathId('Account id') });

export const platform = words(PLATFORMS, {
  $id: 'Platform',
  description: 'Family of the trading platform: MetaTrader 4 or 5',
});

const marginMode = words(MARGIN_MODES, {
  $id: 'AccountMarginMode',
  description: 'How positions of one symbol are held',
});

/** A number or its digits: platforms write logins both ways. */
const login = Type.Union(
  [
    Type.String({
      maxLength: 18,
      pattern: '^[0-9]{1,18}$',
      expected: 'must be 1 to 18 digits',
    }),
    Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  ],
  {
    $id: 'Login',
    description: 'Login of the account on its platform: a number, or its digits as text',
  },
);

export const MAX_LABELS_PER_ACCOUNT = 20;
export const MAX_LABELLED_AT_ONCE = 500;

/** A word by which accounts are grouped. */
export const label = Type.String({
  maxLength: 50,
  pattern: '^[^\\s\\p{Cc}](?:[^\\p{Cc}]*[^\\s\\p{Cc}])?$',
  expected:
    'must have 1 to 50 characters, not begin or end with a space, nor contain control characters',
  description: 'Label, for example a phase, a desk or a program',
});
const labels = (description: string) =>
  Type.Array(label, { maxItems: MAX_LABELS_PER_ACCOUNT, uniqueItems: true, description });

/** A week: waiting longer for a silence is pointless. */
const MAX_SILENT_SECONDS = 604_800;

const fields = {
  name: text(200, 'Name of the account'),
  broker: text(200, 'Name of the broker'),
  leverage: Type.Number({
    exclusiveMinimum: 0,
    maximum: 100_000,
    description: '100 means 1:100',
  }),
  brokerClock,
  tier: words(TIERS, {
    $id: 'AccountTier',
    description: 'The quota that a deployed account counts in',
  }),
  copy: Type.Boolean({ description: 'Whether it takes part in copy trading' }),
  dedicatedIpv4: Type.Boolean({ description: 'Whether it uses a dedicated IPv4 address' }),
  deployed: Type.Boolean({ description: 'Whether it counts as deployed in the quotas' }),
  statisticsEnabled: Type.Boolean({
    description: 'If off, historical trades, open positions and metrics answer 403',
  }),
  marginMode,
  profileId: identifier('Provisioning profile through which the account is read'),
  labels: labels('Groups of the account'),
  silentAfterSeconds: Type.Integer({
    minimum: 0,
    maximum: MAX_SILENT_SECONDS,
    description:
      'An event reports that no snapshot came in for this long, at least 30 s; 0: never. Default: 60 s for accounts read from a platform, never for others',
  }),
};

const sync = record(
  'AccountSync',
  {
    state: words(['waiting', 'working', 'failing', 'paused'], {
      description:
        'waiting: not read yet, for at most three minutes. failing: the latest reading failed, or the last good state is more than a minute old. paused: not read, because it is not deployed.',
    }),
    lastReadAt: Type.Optional(isoTime('When it was last read')),
    lastError: Type.Optional(answerText(4000, 'Why the latest reading failed, while it fails')),
    provenAt: Type.Optional(
      isoTime('When the number of its stored deals was last confirmed by the platform'),
    ),
    differences: Type.Optional(
      record(
        'AccountDifferences',
        {
          currency: Type.Optional(answerText(16, 'Currency on the platform')),
          leverage: Type.Optional(Type.Number({ description: 'Leverage on the platform' })),
        },
        {
          description:
            'Differences on the platform, compared after the first reading and every 6 hours; absent if none is known',
        },
      ),
    ),
  },
  { description: 'State of reading the account from its platform; absent without a profile' },
);

const account = record('Account', {
  id: idText('Account id'),
  ...fields,
  platform,
  login: answerText(18, 'Login on the platform'),
  currency,
  region: answerText(64, 'Region in whose quotas it counts'),
  profileId: Type.Optional(fields.profileId),
  silentAfterSeconds: Type.Optional(fields.silentAfterSeconds),
  sync: Type.Optional(sync),
  unknownDeals: Type.Optional(
    count(
      'Stored deals of unknown kinds (DEAL_TYPE_OTHER, DEAL_TYPE_OTHER_CREDIT); absent if there are none. Check their effect on the account',
    ),
  ),
  createdAt: isoTime('When the account was created'),
});
export type AccountRecord = Static<typeof account>;

const newAccount = record('NewAccount', {
  id: Type.Optional(identifier('Id of your choice; absent: a UUID')),
  name: fields.name,
  platform,
  login,
  broker: fields.broker,
  currency,
  leverage: fields.leverage,
  region: Type.Optional(identifier('Region; absent: the first one')),
  brokerClock: Type.Optional(brokerClock),
  tier: Type.Optional(fields.tier),
  copy: Type.Optional(fields.copy),
  dedicatedIpv4: Type.Optional(fields.dedicatedIpv4),
  deployed: Type.Optional(fields.deployed),
  statisticsEnabled: Type.Optional(fields.statisticsEnabled),
  marginMode: Type.Optional(marginMode),
  profileId: Type.Optional(fields.profileId),
  labels: Type.Optional(fields.labels),
  silentAfterSeconds: Type.Optional(fields.silentAfterSeconds),
});
export type NewAccount = Static<typeof newAccount>;

const PATH = '/users/current/accounts';

export const createAccountOperation = defineOperation({
  operationId: 'createAccount',
  method: 'POST',
  path: PATH,
  base: 'provisioning',
  scope: 'write',
  summary: 'Create an account',
  description:
    'The broker clock defaults to New York + 7 hours, so that a day ends at 17:00 in New York. 403 names every quota that the account would exceed.',
  body: newAccount,
  response: { 201: created },
  errors: [409],
});

export const listAccountsOperation = defineOperation({
  operationId: 'listAccounts',
  method: 'GET',
  path: PATH,
  base: 'provisioning',
  scope: 'read',
  summary: 'List accounts',
  description: 'In the order of their ids.',
  querystring: Type.Object(page),
  response: { 200: linkedPageOf(account) },
  isPaged: true,
});

export const readAccountOperation = defineOperation({
  operationId: 'readAccount',
  method: 'GET',
  path: `${PATH}/:accountId`,
  base: 'provisioning',
  scope: 'read',
  summary: 'Read an account',
  description:
    'Its settings, not its balance: see the accounts overview and the equity chart. With a profile, also the state of reading it, and differences on the platform.',
  params: accountParams,
  response: { 200: account },
  errors: [404],
});

export const updateAccountOperation = defineOperation({
  operationId: 'updateAccount',
  method: 'PATCH',
  path: `${PATH}/:accountId`,
  base: 'provisioning',
  scope: 'write',
  summary: 'Change an account',
  description:
    'Given fields replace the stored ones, others stay. Id, platform, login, currency and region cannot change.',
  params: accountParams,
  body: Type.Partial(Type.Object(fields), {
    $id: 'AccountChange',
    additionalProperties: false,
    minProperties: 1,
  }),
  response: { 200: account },
  errors: [404],
});

export const deleteAccountOperation = defineOperation({
  operationId: 'deleteAccount',
  method: 'DELETE',
  path: `${PATH}/:accountId`,
  base: 'provisioning',
  scope: 'write',
  summary: 'Delete an account',
  description: 'With all data stored about it. This cannot be undone.',
  params: accountParams,
  response: { 204: null },
  errors: [404],
});

const LABELS_PATH = '/users/current/account-labels';
const MAX_LISTED_LABELS = 1000;

export const listAccountLabelsOperation = defineOperation({
  operationId: 'listAccountLabels',
  method: 'GET',
  path: LABELS_PATH,
  base: 'provisioning',
  scope: 'read',
  summary: 'List the labels of accounts',
  description: `With the number of accounts of each, and how many of these need attention. In order, the first ${MAX_LISTED_LABELS}.`,
  response: {
    200: Type.Array(
      record('AccountLabel', {
        label,
        accounts: count('Accounts with the label'),
        exceeded: count('Of these: a loss limit was exceeded in its running period'),
        near: count('Of these: beyond three quarters of a limit'),
        stale: count('Of these: no snapshot within five minutes'),
        clockOff: count("Of these: the broker clock and the server's disagree"),
        unwatched: count('Of these: in use without a loss limit'),
      }),
      { maxItems: MAX_LISTED_LABELS },
    ),
  },
});
export type AccountLabelRecord = Static<(typeof listAccountLabelsOperation.response)[200]>[number];

export const labelAccountsOperation = defineOperation({
  operationId: 'labelAccounts',
  method: 'PATCH',
  path: LABELS_PATH,
  base: 'provisioning',
  scope: 'write',
  summary: 'Label many accounts',
  description: `Adds labels and removes others, on all of the accounts or, if one is not found, on none. 409 if one would have more than ${MAX_LABELS_PER_ACCOUNT}.`,
  body: record(
    'AccountLabelling',
    {
      accountIds: Type.Array(pathId('Account id'), {
        ...{ minItems: 1, maxItems: MAX_LABELLED_AT_ONCE, uniqueItems: true },
        description: 'Accounts to label',
      }),
      add: Type.Optional(labels('Labels to add where they are missing')),
      remove: Type.Optional(labels('Labels to remove')),
    },
    { minProperties: 2 },
  ),
  response: { 200: record('LabelledAccounts', { changed: count('Accounts that changed') }) },
  errors: [404, 409],
});
