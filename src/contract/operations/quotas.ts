import Type from 'typebox';
import { defineOperation } from '../operation.ts';
import { created, page, pathId } from '../primitives.ts';

const MAX_QUOTA = 1_000_000;
const MAX_TEXT_LENGTH = 2000;

const quota = (description: string) =>
  Type.Integer({ minimum: 0, maximum: MAX_QUOTA, description });

const maxima = {
  maxAccounts: quota('Accounts, deployed or not'),
  maxDeployedG1Accounts: quota('Deployed accounts of tier g1'),
  maxDeployedG2Accounts: quota('Deployed accounts of tier g2'),
  maxDeployedCopyAccounts: quota('Deployed accounts that take part in copy trading'),
  maxDedicatedIpv4: quota('Accounts that use a dedicated IPv4 address'),
};

/** Words of people that may have several lines. */
const words = (description: string) =>
  Type.String({
    maxLength: MAX_TEXT_LENGTH,
    pattern: '^(?:[^\\p{Cc}]|[\\t\\r\\n])*$',
    description,
  });

const entry = Type.Object(
  {
    quota: Type.Number({ description: 'The allowed maximum' }),
    usageInPercents: Type.Number({ description: 'used ÷ quota × 100' }),
  },
  { $id: 'QuotaEntry' },
);

const userQuotas = Type.Object(
  {
    maxAccounts: entry,
    maxDeployedG1Accounts: entry,
    maxDeployedG2Accounts: entry,
    maxDeployedCopyAccounts: entry,
    maxDedicatedIpv4: entry,
    region: Type.String(),
  },
  { $id: 'UserQuotas' },
);

const quotas = Type.Object(maxima, { $id: 'Quotas' });
const regionParams = Type.Object({ region: pathId('Region') });

export const readUserQuotasOperation = defineOperation({
  operationId: 'readUserQuotas',
  method: 'GET',
  path: '/users/current/quotas',
  base: 'provisioning',
  scope: 'read',
  summary: 'Quotas and their usage in every region',
  response: { 200: Type.Array(userQuotas) },
});

export const requestQuotasOperation = defineOperation({
  operationId: 'requestQuotas',
  method: 'PATCH',
  path: '/users/current/regions/:region/quotas',
  base: 'provisioning',
  scope: 'write',
  summary: 'Request other quotas in a region',
  description:
    '201 with a new request; 204 when a request that is not decided yet was updated: fields that are given replace, the others stay. The outcome comes by e-mail.',
  params: regionParams,
  body: Type.Object(
    {
      ...Type.Partial(Type.Object(maxima)).properties,
      justification: Type.Optional(words('Why, in words for the operator')),
    },
    { additionalProperties: false, minProperties: 1 },
  ),
  response: { 201: created, 204: null },
});

export const listRegionsOperation = defineOperation({
  operationId: 'listRegions',
  method: 'GET',
  path: '/users/current/regions',
  base: 'provisioning',
  scope: 'read',
  summary: 'Names of the regions',
  response: { 200: Type.Array(Type.String()) },
});

export const readRegionQuotasOperation = defineOperation({
  operationId: 'readRegionQuotas',
  method: 'GET',
  path: '/users/current/regions/:region/quotas',
  base: 'provisioning',
  scope: 'read',
  summary: 'The plain maxima of a region',
  params: regionParams,
  response: { 200: quotas },
  errors: [404],
});

export const setQuotasOperation = defineOperation({
  operationId: 'setQuotas',
  method: 'PUT',
  path: '/admin/users/:userId/regions/:region/quotas',
  base: 'admin',
  scope: 'admin',
  summary: 'Set the quotas of a user in a region',
  description: 'Accounts beyond a lowered quota stay; nothing that counts in it can be added.',
  params: Type.Object({ userId: pathId('User id'), region: pathId('Region') }),
  body: Type.Object(maxima, { additionalProperties: false }),
  response: { 204: null },
  errors: [404],
});

const REQUEST_STATES = ['pending', 'approved', 'declined'] as const;

const quotaRequest = Type.Object(
  {
    id: Type.String(),
    userId: Type.String(),
    email: Type.String(),
    region: Type.String(),
    state: Type.Enum([...REQUEST_STATES]),
    requested: Type.Partial(Type.Object(maxima)),
    justification: Type.Optional(Type.String()),
    createdAt: Type.String({ description: 'ISO time, UTC' }),
    updatedAt: Type.String(),
    decidedAt: Type.Optional(Type.String()),
    decidedBy: Type.Optional(Type.String({ description: 'As the audit names who acts' })),
    message: Type.Optional(Type.String({ description: "The operator's words to the user" })),
  },
  { $id: 'QuotaRequest' },
);

export const listOwnQuotaRequestsOperation = defineOperation({
  operationId: 'listOwnQuotaRequests',
  method: 'GET',
  path: '/users/current/quota-requests',
  base: 'provisioning',
  scope: 'read',
  summary: 'Your own quota requests, newest first',
  querystring: Type.Object({ state: Type.Optional(Type.Enum([...REQUEST_STATES])), ...page }),
  response: { 200: Type.Array(quotaRequest, { maxItems: 1000 }) },
});

export const listQuotaRequestsOperation = defineOperation({
  operationId: 'listQuotaRequests',
  method: 'GET',
  path: '/admin/quota-requests',
  base: 'admin',
  scope: 'admin',
  summary: 'Quota requests, newest first',
  querystring: Type.Object({ state: Type.Optional(Type.Enum([...REQUEST_STATES])), ...page }),
  response: { 200: Type.Array(quotaRequest) },
});

export const decideQuotaRequestOperation = defineOperation({
  operationId: 'decideQuotaRequest',
  method: 'POST',
  path: '/admin/quota-requests/:id/decision',
  base: 'admin',
  scope: 'admin',
  summary: 'Approve or decline a quota request',
  description: 'The user is told by e-mail. A second decision is a conflict.',
  params: Type.Object({ id: pathId('Request id') }),
  body: Type.Object(
    {
      decision: Type.Enum(['approve', 'decline']),
      message: Type.Optional(words('Words to the user')),
    },
    { additionalProperties: false },
  ),
  response: { 204: null },
  errors: [404, 409],
});
