import type { WebhookRecord } from '../../../../src/contract/operations/webhooks.ts';

export const DELIVERY_WORDS: Record<WebhookRecord['delivery'], string> = {
  single: 'one at a time',
  batch: 'up to 100 at once, in order',
  parallel: 'up to 64 in parallel, in no order',
};
