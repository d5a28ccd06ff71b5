import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type {
  deleteRuleTemplateOperation,
  listRuleTemplatesOperation,
  NewRuleTemplate,
  saveRuleTemplateOperation,
} from '../../../src/contract/operations/rule-templates.ts';
import type { NewTracker } from '../../../src/contract/operations/trackers.ts';
import { call } from '../lib/api.ts';
import { hasMoney } from './rule-words.ts';

const KEY = ['rule-templates'];

/** The templates that all tokens of the user share. */
export const useTemplates = () =>
  useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) =>
      call<typeof listRuleTemplatesOperation>('GET /users/current/rule-templates', {}, signal),
  });

/** A rule as a template, under its own name; the currency matters where it has amounts. */
export function toTemplate({ name, ...rest }: NewTracker, currency: string | undefined) {
  const { startBrokerTime: _start, endBrokerTime: _end, ...rule } = rest;
  const body: NewRuleTemplate = {
    rule,
    ...(hasMoney(rule) && currency !== undefined ? { currency } : {}),
  };
  return { name, body };
}

/**
 * The name of a template, and when the one was saved that its user has seen; `none` of a new one.
 */
type Meant = { name: string; replaces: string };

export function useSaveTemplate() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ name, body, replaces }: Meant & { body: NewRuleTemplate }) =>
      call<typeof saveRuleTemplateOperation>('PUT /users/current/rule-templates/:name', {
        params: { name },
        query: { replaces },
        body,
      }),
    onSettled: () => queries.invalidateQueries({ queryKey: KEY }),
  });
}

export function useDeleteTemplate() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ name, replaces }: Meant) =>
      call<typeof deleteRuleTemplateOperation>('DELETE /users/current/rule-templates/:name', {
        params: { name },
        query: { replaces },
      }),
    onSuccess: () => queries.invalidateQueries({ queryKey: KEY }),
  });
}
