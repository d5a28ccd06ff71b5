import type {
  createWebhookOperation,
  deleteWebhookOperation,
  listDeadLettersOperation,
  listWebhooksOperation,
  replayDeadLettersOperation,
  testWebhookOperation,
} from '../../../../src/contract/operations/webhooks.ts';
import { useChange, usePages, useRead } from '../../lib/use-operation.ts';

const PATH = '/users/current/webhooks' as const;
const KEY = ['webhooks'];
const REFRESH_MS = 5_000;

export const useWebhooks = () =>
  useRead<typeof listWebhooksOperation>(KEY, `GET ${PATH}`, {}, { refetchInterval: REFRESH_MS });

/** List events that a webhook did not accept. */
export const useDeadLetters = (id: string) =>
  usePages<typeof listDeadLettersOperation>(
    [...KEY, id, 'dead-letters'],
    `GET ${PATH}/:id/dead-letters`,
    { params: { id } },
    () => REFRESH_MS,
  );

export const useCreateWebhook = () => useChange<typeof createWebhookOperation>(`POST ${PATH}`, KEY);

export const useDeleteWebhook = () =>
  useChange<typeof deleteWebhookOperation>(`DELETE ${PATH}/:id`, KEY);

export const useTest = () => useChange<typeof testWebhookOperation>(`POST ${PATH}/:id/test`);

export const useReplay = () =>
  useChange<typeof replayDeadLettersOperation>(`POST ${PATH}/:id/dead-letters/replay`, KEY);
