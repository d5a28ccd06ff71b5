import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type {
  createWebhookOperation,
  deleteWebhookOperation,
  listDeadLettersOperation,
  listWebhooksOperation,
  replayDeadLettersOperation,
  testWebhookOperation,
} from '../../../../src/contract/operations/webhooks.ts';
import { call, type Input } from '../../lib/api.ts';

const PATH = '/users/current/webhooks' as const;
const KEY = ['webhooks'];
const REFRESH_MS = 5_000;
export const MAX_LISTED_LETTERS = 100;

export type NewWebhook = Input<typeof createWebhookOperation>['body'];

export const useWebhooks = () =>
  useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => call<typeof listWebhooksOperation>(`GET ${PATH}`, {}, signal),
    refetchInterval: REFRESH_MS,
  });

/** List events that a webhook did not accept. */
export const useDeadLetters = (id: string) =>
  useQuery({
    queryKey: [...KEY, id, 'dead-letters'],
    queryFn: ({ signal }) =>
      call<typeof listDeadLettersOperation>(
        `GET ${PATH}/:id/dead-letters`,
        { params: { id }, query: { limit: MAX_LISTED_LETTERS } },
        signal,
      ),
    refetchInterval: REFRESH_MS,
  });

export function useCreateWebhook() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: NewWebhook) => call<typeof createWebhookOperation>(`POST ${PATH}`, { body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: KEY }),
  });
}

export function useDeleteWebhook(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => call<typeof deleteWebhookOperation>(`DELETE ${PATH}/:id`, { params: { id } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: KEY }),
  });
}

export const useTest = (id: string) =>
  useMutation({
    mutationFn: () =>
      call<typeof testWebhookOperation>(`POST ${PATH}/:id/test`, { params: { id } }),
  });

export function useReplay(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () =>
      call<typeof replayDeadLettersOperation>(`POST ${PATH}/:id/dead-letters/replay`, {
        params: { id },
        body: {},
      }),
    onSuccess: () => queries.invalidateQueries({ queryKey: KEY }),
  });
}
