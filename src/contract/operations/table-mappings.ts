import Type, { type Static } from 'typebox';
import { defineOperation } from '../operation.ts';
import { isoTime, record, text } from '../primitives.ts';
import { mappedColumns } from '../table-sample.ts';
import { documentCondition, MAX_DOCUMENTS_PER_USER } from './account-views.ts';

const PATH = '/users/current/table-mappings';
const name = text(100, 'Name of the mapping');
const params = Type.Object({ name });

const content = { columns: mappedColumns };
const tableMapping = record('TableMapping', {
  name,
  changedAt: isoTime('When it was saved'),
  ...content,
});
const newTableMapping = record('TableMappingContent', content, {
  description:
    'Closed trades need side, volume, closeTime and a profit; deals need id, type, time, volume, price, a profit and entry or positionId',
});
export type NewTableMapping = Static<typeof newTableMapping>;

export const listTableMappingsOperation = defineOperation({
  operationId: 'listTableMappings',
  method: 'GET',
  path: PATH,
  base: 'stats',
  scope: 'read',
  summary: 'List the mappings of tables',
  description: "The user's explanations of tables' columns. In the order of their names.",
  response: { 200: Type.Array(tableMapping, { maxItems: MAX_DOCUMENTS_PER_USER }) },
});

export const saveTableMappingOperation = defineOperation({
  operationId: 'saveTableMapping',
  method: 'PUT',
  path: `${PATH}/:name`,
  base: 'stats',
  scope: 'write',
  summary: 'Explain the columns of a table',
  description: `From then on, files with these headings are read by it, for all accounts of the user. Replaces a mapping of the same name. At most ${MAX_DOCUMENTS_PER_USER}; 409 beyond.`,
  params,
  querystring: documentCondition,
  body: newTableMapping,
  response: { 204: null },
  errors: [409],
});

export const deleteTableMappingOperation = defineOperation({
  operationId: 'deleteTableMapping',
  method: 'DELETE',
  path: `${PATH}/:name`,
  base: 'stats',
  scope: 'write',
  summary: 'Delete a mapping of a table',
  description: 'Data imported by it stay.',
  params,
  response: { 204: null },
  errors: [404],
});
