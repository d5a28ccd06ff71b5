import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type Client, retry } from './plimsoll-process.ts';

/**
 * The login of a new account on a platform, by `path` of a profile's accounts. A busy machine may
 * take longer than an opening is waited for: it is asked again under the same key, as clients do.
 */
export async function openOnPlatform(client: Client, path: string, group: string): Promise<string> {
  const fields = { email: 'ada@example.com', group, leverage: 100 };
  const key = { 'idempotency-key': randomUUID() };
  const open = () => client.post<{ login: string }>(path, fields, key);
  const opened = await retry(open, 'an account that is open');
  assert.equal(opened.status, 201, JSON.stringify(opened.body));
  return opened.body.login;
}
