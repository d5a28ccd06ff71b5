import type { createSignInCodeOperation } from '../../../src/contract/operations/sessions.ts';
import { type Answer, readAnswer, request } from './api.ts';

/** A link that signs one browser in, once: with the rights of a token, or of the session. */
export async function linkOf(token?: string): Promise<string> {
  const headers: Record<string, string> = token === undefined ? {} : { 'auth-token': token };
  const init = { method: 'POST', headers };
  const response = await request('/users/current/sign-in-codes', init, true);
  const { code } = await readAnswer<Answer<typeof createSignInCodeOperation>>(response, true);
  return `${location.origin}/#code=${code}`;
}
