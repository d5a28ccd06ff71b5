import type {
  deleteRuleTemplateOperation,
  listRuleTemplatesOperation,
  NewRuleTemplate,
  saveRuleTemplateOperation,
} from '../../../src/contract/operations/rule-templates.ts';
import type { NewTracker } from '../../../src/contract/operations/trackers.ts';
import { useChange, useRead } from '../lib/use-operation.ts';
import { hasMoney } from './rule-words.ts';

const KEY = ['rule-templates'];

/** The templates that all tokens of the user share. */
export const useTemplates = () =>
  useRead<typeof listRuleTemplatesOperation>(KEY, 'GET /users/current/rule-templates', {});

/** A rule as a template, under its own name; the currency matters if it has amounts. */
export function toTemplate(
  { name, ...rest }: NewTracker,
  currency: string | undefined,
  /** When the one was saved that its user has seen under this name; `none` of a new one. */
  replaces: string,
) {
  const { startBrokerTime: _start, endBrokerTime: _end, ...rule } = rest;
  const body: NewRuleTemplate = {
    rule,
    ...(hasMoney(rule) && currency !== undefined ? { currency } : {}),
  };
  return { params: { name }, query: { replaces }, body };
}

export const useSaveTemplate = () =>
  useChange<typeof saveRuleTemplateOperation>('PUT /users/current/rule-templates/:name', KEY);

export const useDeleteTemplate = () =>
  useChange<typeof deleteRuleTemplateOperation>('DELETE /users/current/rule-templates/:name', KEY);
