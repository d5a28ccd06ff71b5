import assert from 'node:assert/strict';
import { Client } from './plimsoll-process.ts';

export type SessionClient = Client & { sessionId: string; setCookie: string };

/** A browser that signs in with the token of a client, or with something else. */
export async function sessionOf(
  { address, token }: Client,
  by: object = { token },
  device = 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0',
): Promise<SessionClient> {
  const own = { origin: address, 'user-agent': device };
  const stranger = new Client(address, undefined, own);
  const answer = await stranger.post<{ sessionId: string }>('/session', by);
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  const setCookie = answer.headers.get('set-cookie') ?? '';
  const [cookie = ''] = setCookie.split(';');
  const { sessionId } = answer.body;
  return Object.assign(new Client(address, undefined, { ...own, cookie }), {
    ...{ sessionId, setCookie },
  });
}
