import Type, { type Static } from 'typebox';
import { defineOperation } from '../operation.ts';
import { currency, isoTime, record, text } from '../primitives.ts';
import { documentCondition, MAX_DOCUMENTS_PER_USER } from './account-views.ts';
import { createTrackerOperation } from './trackers.ts';

const PATH = '/users/current/rule-templates';
const name = text(200, 'Name of the template, and of trackers created from it');
const params = Type.Object({ name });

// The start and end of tracking differ between accounts.
const {
  name: _name,
  startBrokerTime: _start,
  endBrokerTime: _end,
  ...rule
} = createTrackerOperation.body.properties;

const content = {
  currency: Type.Optional(currency),
  rule: record('TemplateRule', rule, { description: 'The rule of a new tracker' }),
};
const ruleTemplate = record('RuleTemplate', {
  name,
  changedAt: isoTime('When it was saved'),
  ...content,
});
export type RuleTemplateRecord = Static<typeof ruleTemplate>;
const newRuleTemplate = record('RuleTemplateContent', content, {
  description: 'A rule with amounts of money needs the currency that they are in',
});
export type NewRuleTemplate = Static<typeof newRuleTemplate>;

export const listRuleTemplatesOperation = defineOperation({
  operationId: 'listRuleTemplates',
  method: 'GET',
  path: PATH,
  base: 'risk',
  scope: 'read',
  summary: 'List templates of rules',
  description: 'Those of the user, shared by all tokens. In the order of their names.',
  response: { 200: Type.Array(ruleTemplate, { maxItems: MAX_DOCUMENTS_PER_USER }) },
});

export const saveRuleTemplateOperation = defineOperation({
  operationId: 'saveRuleTemplate',
  method: 'PUT',
  path: `${PATH}/:name`,
  base: 'risk',
  scope: 'write',
  summary: 'Save a template of a rule',
  description: `Replaces a template of the same name; trackers created from it stay unchanged. At most ${MAX_DOCUMENTS_PER_USER}; 409 beyond.`,
  params,
  querystring: documentCondition,
  body: newRuleTemplate,
  response: { 204: null },
  errors: [409],
});

export const deleteRuleTemplateOperation = defineOperation({
  operationId: 'deleteRuleTemplate',
  method: 'DELETE',
  path: `${PATH}/:name`,
  base: 'risk',
  scope: 'write',
  summary: 'Delete a template of a rule',
  description: 'Trackers created from it stay unchanged.',
  params,
  querystring: documentCondition,
  response: { 204: null },
  errors: [404, 409],
});
