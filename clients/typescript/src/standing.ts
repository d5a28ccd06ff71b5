import type { Client } from 'openapi-fetch';
import { dataOf } from './error.ts';
import { isBrokenConnection, messagesOf, onceThere, PAUSE_MS } from './events.ts';
import { sleep } from './retry.ts';
import type { LiveMessage, paths } from './schema.ts';

export type StandingFilter = {
  /** Absent: all that the token may see. */
  accountIds?: readonly string[];
  /** Absent: all parts. */
  parts?: readonly ('standing' | 'statistics' | 'chart' | 'incidents')[];
  /** Ends the loop by throwing its reason. */
  signal?: AbortSignal;
};

/**
 * The standing of accounts by server-sent events; an ended stream is reopened from its last id.
 * After each `begin` whose reason is not `resumed`, the whole state comes anew.
 */
export async function* followStanding(
  api: Client<paths>,
  { accountIds, parts, signal }: StandingFilter,
): AsyncGenerator<LiveMessage, void, undefined> {
  let lastId: string | undefined;
  for (;;) {
    const query = {
      ...(accountIds ? { accountId: [...accountIds] } : {}),
      ...(parts ? { part: [...parts] } : {}),
    };
    const header = lastId === undefined ? {} : { 'last-event-id': lastId };
    const options = {
      ...{ params: { query, header }, parseAs: 'stream' as const },
      ...(signal ? { signal } : {}),
    };
    const body = await onceThere(signal, () =>
      dataOf(api.GET('/users/current/standing/live', options)),
    );
    try {
      const messages = messagesOf(body as ReadableStream<Uint8Array<ArrayBuffer>>, signal);
      for await (const { event: name, id, data } of messages) {
        if (name === 'closed') break;
        const message = JSON.parse(data) as LiveMessage;
        // While the whole state is told, there is nothing to resume from.
        if (message.kind === 'begin' && message.reason !== 'resumed') lastId = undefined;
        lastId = id || lastId;
        yield message;
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (!isBrokenConnection(error)) throw error;
    }
    await sleep(PAUSE_MS, signal);
  }
}
