import type { FastifyInstance } from 'fastify';
import {
  deleteAccountViewOperation,
  listAccountViewsOperation,
  type NewAccountView,
  saveAccountViewOperation,
} from '../../../contract/operations/account-views.ts';
import {
  deleteRuleTemplateOperation,
  listRuleTemplatesOperation,
  type NewRuleTemplate,
  saveRuleTemplateOperation,
} from '../../../contract/operations/rule-templates.ts';
import {
  deleteTableMappingOperation,
  listTableMappingsOperation,
  type NewTableMapping,
  saveTableMappingOperation,
} from '../../../contract/operations/table-mappings.ts';
import type { Context } from '../../../services/context.ts';
import {
  deleteDocument,
  readDocuments,
  saveDocument,
} from '../../../services/documents/manage-documents.ts';
import { mappingFaults, saveTableMapping } from '../../../services/imports/table-mappings.ts';
import {
  saveRuleTemplate,
  templateFaults,
} from '../../../services/rule-templates/save-template.ts';
import { addRoute } from '../../add-route.ts';

/**
 * Documents that a user saves under names, for all tokens: views, templates of rules, mappings of
 * tables.
 */
export function registerDocuments(server: FastifyInstance, context: Context): void {
  addRoute(server, listAccountViewsOperation, ({ principal }) =>
    readDocuments<NewAccountView>(context, principal, 'account-view'),
  );
  addRoute(server, saveAccountViewOperation, ({ principal, params: { name }, query, body }) =>
    saveDocument(context, principal, 'account-view', { name, body, ...query }),
  );
  addRoute(server, deleteAccountViewOperation, ({ principal, params: { name } }) =>
    deleteDocument(context, principal, 'account-view', { name }),
  );
  addRoute(server, listRuleTemplatesOperation, ({ principal }) =>
    readDocuments<NewRuleTemplate>(context, principal, 'rule-template'),
  );
  addRoute(
    server,
    saveRuleTemplateOperation,
    ({ principal, params: { name }, query, body }) =>
      saveRuleTemplate(context, principal, { name, body, ...query }),
    { moreFaults: ({ body }) => templateFaults(body) },
  );
  addRoute(server, deleteRuleTemplateOperation, ({ principal, params: { name }, query }) =>
    deleteDocument(context, principal, 'rule-template', { name, ...query }),
  );
  addRoute(server, listTableMappingsOperation, ({ principal }) =>
    readDocuments<NewTableMapping>(context, principal, 'table-mapping'),
  );
  addRoute(
    server,
    saveTableMappingOperation,
    ({ principal, params: { name }, query, body }) =>
      saveTableMapping(context, principal, { name, body, ...query }),
    { moreFaults: ({ body }) => mappingFaults(body) },
  );
  addRoute(server, deleteTableMappingOperation, ({ principal, params: { name } }) =>
    deleteDocument(context, principal, 'table-mapping', { name }),
  );
}
