import Type from 'typebox';
import { ROLES } from '../../words/roles.ts';
import { defineOperation } from '../operation.ts';
import {
  answerText,
  emailAddress,
  identifier,
  idText,
  isoTime,
  linkedPageOf,
  pageFrom,
  pathId,
  personName,
  record,
  words,
} from '../primitives.ts';
import { MAX_TOKEN_ACCOUNTS, tokenRevocation } from './users.ts';

const PATH = '/users/current/people';
export const MAX_PEOPLE = 200;
export const MAX_PEOPLE_PAGE = 20;
/** How long the code of an invitation can be used. */
export const INVITATION_DAYS = 3;

const WHO =
  '403 unless the token or session has all scopes of an owner, for all accounts of the user.';

export const role = words(ROLES, {
  $id: 'Role',
  description:
    'viewer: reads. trader: reads, and only the accounts given. risk: also writes, and has actions run. backOffice: reads, writes and ingests. owner: all of these, and people.',
});

const accountIds = Type.Optional(
  Type.Array(identifier('Account id'), {
    ...{ minItems: 1, maxItems: MAX_TOKEN_ACCOUNTS, uniqueItems: true },
    description: 'The accounts that a trader sees, and only for a trader',
  }),
);

const invitation = record('Invitation', {
  id: idText('Person id'),
  code: answerText(64, 'Signs one browser in, once: the end of the address, `#code=`. Shown once'),
  expiresAt: isoTime('When the code ends'),
  isMailed: Type.Boolean({
    description:
      'Whether the code goes to the person by mail, too: with SMTP_URL and PLIMSOLL_PUBLIC_URL, up to 5 times a day',
  }),
});

const version = Type.String({
  maxLength: 16,
  pattern: '^[0-9a-f]{16}$',
  expected: 'must be the version of a person',
  description: 'Of the role and the accounts',
});

const person = record('Person', {
  id: idText('Person id'),
  name: answerText(100, 'Shown wherever the person acts'),
  email: answerText(254, 'E-mail address, by which the audit names the person'),
  role,
  accountIds: Type.Optional(
    Type.Array(idText('Account id'), {
      maxItems: MAX_TOKEN_ACCOUNTS,
      description: 'The only accounts of a trader',
    }),
  ),
  invitedAt: isoTime('When the person was invited'),
  version,
});

export const listPeopleOperation = defineOperation({
  operationId: 'listPeople',
  method: 'GET',
  path: PATH,
  base: 'system',
  scope: 'read',
  summary: 'List the people of the user',
  description: `Newest first. ${WHO}`,
  querystring: Type.Object(pageFrom(pathId, MAX_PEOPLE_PAGE)),
  response: {
    200: linkedPageOf(person, { maxItems: MAX_PEOPLE_PAGE }),
  },
  isPaged: true,
});

export const invitePersonOperation = defineOperation({
  operationId: 'invitePerson',
  method: 'POST',
  path: PATH,
  base: 'system',
  scope: 'write',
  summary: 'Invite a person',
  description: `Several people share the accounts of a user, each with a role. The answer has a one-time code for ${INVITATION_DAYS} days. At most ${MAX_PEOPLE} people; 409 beyond, and for an e-mail address that one of them has. ${WHO}`,
  body: record('NewPerson', {
    name: personName(100, 'Shown wherever the person acts'),
    email: emailAddress('E-mail address'),
    role,
    accountIds,
  }),
  response: { 201: invitation },
  errors: [409],
});

const params = Type.Object({ id: pathId('Person id') });

export const inviteAgainOperation = defineOperation({
  operationId: 'invitePersonAgain',
  method: 'POST',
  path: `${PATH}/:id/invitation`,
  base: 'system',
  scope: 'write',
  summary: 'Invite a person again',
  description: `Another one-time code, for example for a new device. ${WHO}`,
  params,
  response: { 201: invitation },
  errors: [404],
});

export const changePersonOperation = defineOperation({
  operationId: 'changePerson',
  method: 'PATCH',
  path: `${PATH}/:id`,
  base: 'system',
  scope: 'write',
  summary: 'Change the role of a person',
  description: `Running sessions of the person have it from their next request on. Tokens that the person made and that may do more are revoked. With \`version\`, 409 if another one is stored. ${WHO}`,
  params,
  body: record('PersonChange', { role, accountIds, version: Type.Optional(version) }),
  response: { 200: person },
  errors: [404, 409],
});

export const removePersonOperation = defineOperation({
  operationId: 'removePerson',
  method: 'DELETE',
  path: `${PATH}/:id`,
  base: 'system',
  scope: 'write',
  summary: 'Remove a person',
  description: `Ends the sessions of the person at once. The audit keeps what the person did. ${WHO}`,
  params,
  querystring: tokenRevocation,
  response: { 204: null },
  errors: [404],
});
