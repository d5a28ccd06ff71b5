import Type, { type Static } from 'typebox';
import { SORT_ORDERS } from '../../words/service.ts';
import { defineOperation } from '../operation.ts';
import { isoTime, record, text, words } from '../primitives.ts';
import { accountsOverviewOperation, OVERVIEW_SORTS } from './accounts-overview.ts';

/** Views, templates and mappings, each, of one user: the longest list of mappings is 1.2 MB. */
export const MAX_DOCUMENTS_PER_USER = 50;

/** If two people change a document at once, the second gets a conflict. */
export const documentCondition = Type.Object({
  replaces: Type.Optional(
    Type.String({
      maxLength: 40,
      description:
        '`changedAt` of the version to replace, or `none`. Errors: 409 if another version is stored',
    }),
  ),
});

const PATH = '/users/current/account-views';
const name = text(100, 'Name of the view');
const params = Type.Object({ name });

const { search, label, filter } = accountsOverviewOperation.querystring.properties;
// Absent fields stay absent: the viewer knows the defaults.
const content = {
  ...{ search, label, filter },
  sort: Type.Optional(words(OVERVIEW_SORTS, { $id: 'AccountSort', description: 'Order by' })),
  order: Type.Optional(words(SORT_ORDERS, { $id: 'SortOrder', description: 'Direction' })),
};

const accountView = record('AccountView', {
  name,
  changedAt: isoTime('When it was saved'),
  ...content,
});
const newAccountView = record('AccountViewContent', content, {
  description: 'A query of the accounts overview; absent fields have their defaults',
});
export type NewAccountView = Static<typeof newAccountView>;

export const listAccountViewsOperation = defineOperation({
  operationId: 'listAccountViews',
  method: 'GET',
  path: PATH,
  base: 'risk',
  scope: 'read',
  summary: 'List saved views of the accounts',
  description:
    'Those of the user, in the order of their names. None for a token of some accounts: views name what it may not see.',
  response: { 200: Type.Array(accountView, { maxItems: MAX_DOCUMENTS_PER_USER }) },
});

export const saveAccountViewOperation = defineOperation({
  operationId: 'saveAccountView',
  method: 'PUT',
  path: `${PATH}/:name`,
  base: 'risk',
  scope: 'write',
  summary: 'Save a view of the accounts',
  description: `Replaces a view of the same name. At most ${MAX_DOCUMENTS_PER_USER}; 409 beyond.`,
  params,
  querystring: documentCondition,
  body: newAccountView,
  response: { 204: null },
  errors: [409],
});

export const deleteAccountViewOperation = defineOperation({
  operationId: 'deleteAccountView',
  method: 'DELETE',
  path: `${PATH}/:name`,
  base: 'risk',
  scope: 'write',
  summary: 'Delete a saved view',
  description: 'The accounts stay unchanged.',
  params,
  response: { 204: null },
  errors: [404],
});
