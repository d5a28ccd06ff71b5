import Type from 'typebox';
import { HOLDING_KINDS } from '../../words/holdings.ts';
import { QUOTA_DECISIONS, QUOTA_REQUEST_STATES } from '../../words/service.ts';
import { defineOperation } from '../operation.ts';
import {
  answerText,
  count,
  created,
  idText,
  isoTime,
  linkedPageOf,
  page,
  pathId,
  record,
  words,
} from '../primitives.ts';

const MAX_QUOTA = 1_000_000;
const MAX_TEXT_LENGTH = 2000;
/** Regions of a server. */
const MAX_REGIONS = 1000;

const quota = (description: string) =>
  Type.Integer({ minimum: 0, maximum: MAX_QUOTA, description });

const maxima = {
  maxAccounts: quota('Accounts, deployed or not'),
  maxDeployedG1Accounts: quota('Deployed accounts of tier g1'),
  maxDeployedG2Accounts: quota('Deployed accounts of tier g2'),
  maxDeployedCopyAccounts: quota('Deployed accounts that take part in copy trading'),
  maxDedicatedIpv4: quota('Accounts that use a dedicated IPv4 address'),
};
const requestedMaxima = Type.Partial(Type.Object(maxima)).properties;

/** Text of people, with line breaks. */
const lines = (description: string) =>
  Type.String({
    maxLength: MAX_TEXT_LENGTH,
    pattern: '^(?:[^\\p{Cc}]|[\\t\\r\\n])*$',
    expected: 'must not contain control characters other than tabs and line breaks',
    description,
  });

const entry = record('QuotaEntry', {
  quota: Type.Number({ description: 'The allowed maximum' }),
  usageInPercents: Type.Number({ description: 'used ÷ quota × 100' }),
});

const userQuotas = record('UserQuotas', {
  maxAccounts: entry,
  maxDeployedG1Accounts: entry,
  maxDeployedG2Accounts: entry,
  maxDeployedCopyAccounts: entry,
  maxDedicatedIpv4: entry,
  maxStoredBytes: Type.Optional(
    record('StoredQuota', entry.properties, {
      description: 'Bytes stored, in all regions together; absent: no limit',
    }),
  ),
  region: answerText(64, 'Region'),
});

const quotas = record('Quotas', maxima, { description: 'Quotas of a user in a region' });
const regionParams = Type.Object({ region: pathId('Region') });

export const readUserQuotasOperation = defineOperation({
  operationId: 'readUserQuotas',
  method: 'GET',
  path: '/users/current/quotas',
  base: 'provisioning',
  scope: 'read',
  summary: 'Quotas and their usage in every region',
  description: 'Usage counts the accounts that exist.',
  response: { 200: Type.Array(userQuotas, { maxItems: MAX_REGIONS }) },
});

export const requestQuotasOperation = defineOperation({
  operationId: 'requestQuotas',
  method: 'PATCH',
  path: '/users/current/regions/:region/quotas',
  base: 'provisioning',
  scope: 'write',
  summary: 'Request other quotas in a region',
  description:
    '201 with a new request. 204 if a pending request was updated: given fields replace the old ones, others stay. A justification alone is a request to the operator. The outcome comes by e-mail.',
  params: regionParams,
  body: record('QuotaChange', {
    ...requestedMaxima,
    justification: Type.Optional(lines('Why, in words for the operator')),
  }),
  response: { 201: created, 204: null },
});

export const listRegionsOperation = defineOperation({
  operationId: 'listRegions',
  method: 'GET',
  path: '/users/current/regions',
  base: 'provisioning',
  scope: 'read',
  summary: 'Names of the regions',
  description: 'The first one is the default of new accounts.',
  response: { 200: Type.Array(answerText(64, 'Region'), { maxItems: MAX_REGIONS }) },
});

export const readRegionQuotasOperation = defineOperation({
  operationId: 'readRegionQuotas',
  method: 'GET',
  path: '/users/current/regions/:region/quotas',
  base: 'provisioning',
  scope: 'read',
  summary: 'Quotas of a region',
  description: 'The plain maxima, without usage.',
  params: regionParams,
  response: { 200: quotas },
  errors: [404],
});

export const readStorageOperation = defineOperation({
  operationId: 'readStorage',
  method: 'GET',
  path: '/users/current/storage',
  base: 'provisioning',
  scope: 'read',
  summary: 'Your stored data',
  description:
    'What you wrote, and the facts of your accounts: deals, imports, hours of charts and hours of minutes count with all that is made of them, by their number. Beyond the maximum nothing can be added, 403, until something is deleted; snapshots of the last two days without deals are still taken, and so is what your platforms tell. A deleted account counts until the last of its rows is gone. The audit of what you did counts, and goes with its age.',
  response: {
    200: record('Storage', {
      storedBytes: count('Bytes of all kinds'),
      maxStoredBytes: Type.Optional(count('The maximum; absent: no limit')),
      kinds: Type.Array(
        record('StoredKind', {
          kind: words(HOLDING_KINDS, { description: 'Kind of thing' }),
          items: count('Number of things'),
          bytes: count('Their size'),
        }),
        { maxItems: HOLDING_KINDS.length, description: 'Kinds that the user has' },
      ),
    }),
  },
});

export const setQuotasOperation = defineOperation({
  operationId: 'setQuotas',
  method: 'PUT',
  path: '/admin/users/:userId/regions/:region/quotas',
  base: 'admin',
  scope: 'admin',
  summary: 'Set the quotas of a user in a region',
  description: 'Accounts beyond a lowered quota stay; no more can be added to it.',
  params: Type.Object({ userId: pathId('User id'), region: pathId('Region') }),
  body: quotas,
  response: { 204: null },
  errors: [404],
});

const requestState = words(QUOTA_REQUEST_STATES, { $id: 'QuotaRequestState' });

const currentQuota = record('CurrentQuota', {
  max: Type.Integer({ description: 'The allowed maximum' }),
  used: Type.Integer({ description: 'Current number' }),
});
const currentQuotas = record(
  'CurrentQuotas',
  {
    maxAccounts: currentQuota,
    maxDeployedG1Accounts: currentQuota,
    maxDeployedG2Accounts: currentQuota,
    maxDeployedCopyAccounts: currentQuota,
    maxDedicatedIpv4: currentQuota,
  },
  {
    description: "For a pending request: the user's quotas there, and their current use",
  },
);

const quotaRequest = record('QuotaRequest', {
  id: idText('Request id'),
  userId: idText('User id'),
  email: answerText(254, "The user's e-mail address"),
  region: answerText(64, 'Region'),
  state: requestState,
  requested: record('RequestedQuotas', requestedMaxima),
  current: Type.Optional(currentQuotas),
  justification: Type.Optional(answerText(MAX_TEXT_LENGTH, "The user's words to the operator")),
  createdAt: isoTime('Time of the request'),
  updatedAt: isoTime('When it was last changed'),
  decidedAt: Type.Optional(isoTime('When it was decided')),
  decidedBy: Type.Optional(answerText(256, 'Who decided it, as named in the audit')),
  message: Type.Optional(answerText(MAX_TEXT_LENGTH, "The operator's message to the user")),
});

export const listOwnQuotaRequestsOperation = defineOperation({
  operationId: 'listOwnQuotaRequests',
  method: 'GET',
  path: '/users/current/quota-requests',
  base: 'provisioning',
  scope: 'read',
  summary: 'List your own quota requests',
  description: 'Newest first.',
  querystring: Type.Object({ state: Type.Optional(requestState), ...page }),
  response: { 200: linkedPageOf(quotaRequest) },
  isPaged: true,
});

export const listQuotaRequestsOperation = defineOperation({
  operationId: 'listQuotaRequests',
  method: 'GET',
  path: '/admin/quota-requests',
  base: 'admin',
  scope: 'admin',
  summary: 'List quota requests',
  description: 'Newest first.',
  querystring: Type.Object({ state: Type.Optional(requestState), ...page }),
  response: { 200: linkedPageOf(quotaRequest) },
  isPaged: true,
});

export const decideQuotaRequestOperation = defineOperation({
  operationId: 'decideQuotaRequest',
  method: 'POST',
  path: '/admin/quota-requests/:id/decision',
  base: 'admin',
  scope: 'admin',
  summary: 'Approve or decline a quota request',
  description: 'The user is notified by e-mail. A second decision is a conflict.',
  params: Type.Object({ id: pathId('Request id') }),
  body: record('QuotaDecision', {
    decision: words(QUOTA_DECISIONS, { description: 'The decision' }),
    message: Type.Optional(lines('Message to the user')),
  }),
  response: { 204: null },
  errors: [404, 409],
});
