import type {
  createWebhookOperation,
  deleteWebhookOperation,
  listDeadLettersOperation,
  listWebhooksOperation,
  replayDeadLettersOperation,
  testWebhookOperation,
} from '../../../../src/contract/operations/webhooks.ts';
import { useChange, useRead } from '../../lib/use-operation.ts';

const PATH = '/users/current/webhooks' as const;
const KEY = ['webhooks'];
const REFRESH_MS = 5_000;
export const MAX_LISTED_LETTERS = 100;

export const useWebhooks = () =>
  useRead<typeof listWebhooksOperation>(KEY, `GET ${PATH}`, {}, { refetchInterval: REFRESH_MS });

/** List events that a webhook did not accept. */
export const useDeadLetters = (id: string) =>
  useRead<typeof listDeadLettersOperation>(
    [...KEY, id, 'dead-letters'],
    `GET ${PATH}/:id/dead-letters`,
    { params: { id }, query: { limit: MAX_LISTED_LETTERS } },
    { refetchInterval: REFRESH_MS },
  );

export const useCreateWebhook = () => useChange<typeof createWebhookOperation>(`POST ${PATH}`, KEY);

export const useDeleteWebhook = () =>
  useChange<typeof deleteWebhookOperation>(`DELETE ${PATH}/:id`, KEY);

export const useTest = () => useChange<typeof testWebhookOperation>(`POST ${PATH}/:id/test`);

export const useReplay = () =>
  useChange<typeof replayDeadLettersOperation>(`POST ${PATH}/:id/dead-letters/replay`, KEY);
