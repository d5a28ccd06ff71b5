import { type CreatedUser, type NewPlatformUser, PlatformError } from '../gateway.ts';
import { batchOf } from './batches.ts';
import type { P5Client } from './client.ts';
import { isRecord, textOf } from './record.ts';
import { platformErrorOf, RETCODE, RetcodeError } from './retcode.ts';
import { commentOf, newUserBody } from './users.ts';

/**
 * Opens an account. If the answer is lost, the account is searched by the mark in its comment
 * before a failure is reported; an account found that way gets the passwords of this call.
 */
export async function createUser(
  client: P5Client,
  user: NewPlatformUser,
  requestId: string,
): Promise<CreatedUser> {
  if (user.repeated) {
    const found = await adopt(client, user, requestId);
    if (found) return found;
  }
  try {
    const body = newUserBody(user, requestId);
    const answer = await client.call({ command: '/api/user/add', body, repeatable: false });
    const login = textOf(answer, 'login') || loginOf(answer.answer);
    if (/^[1-9]\d*$/.test(login)) return { login };
    throw new PlatformError('unavailable', 'The trading server did not return the new login');
  } catch (error) {
    if (error instanceof RetcodeError) throw await refusal(client, user, error);
    const found = await adopt(client, user, requestId).catch(() => undefined);
    if (found) return found;
    throw error;
  }
}

const loginOf = (answer: unknown): string => (isRecord(answer) ? textOf(answer, 'Login') : '');

/** The account that an earlier call with this request id opened, with its passwords set again. */
async function adopt(
  client: P5Client,
  user: NewPlatformUser,
  requestId: string,
): Promise<CreatedUser | undefined> {
  const mark = commentOf(requestId);
  const params = { group: user.group };
  const rows = await batchOf(client, '/api/user/get_batch', params);
  const found = rows.find((row) => textOf(row, 'Comment') === mark);
  if (!found) return undefined;
  const login = textOf(found, 'Login');
  for (const [type, password] of [
    ['main', user.password],
    ['investor', user.investorPassword],
  ] as const) {
    const body = { Login: login, Type: type, Password: password };
    await client.call({ command: '/api/user/change_password', body });
  }
  return { login };
}

/**
 * "No permissions" can mean the group (the caller's fault) or the manager's rights (not the
 * caller's fault).
 */
async function refusal(
  client: P5Client,
  user: NewPlatformUser,
  error: RetcodeError,
): Promise<PlatformError> {
  if (error.retcode !== RETCODE.noPermission) return platformErrorOf(error);
  const group = await batchOf(client, '/api/group/get', { group: user.group }).catch(
    (failure: unknown) => (failure instanceof RetcodeError ? [] : ['unknown']),
  );
  return group.length === 0
    ? new PlatformError(
        'invalid',
        'There is no such group, or this profile may not open accounts in it',
      )
    : platformErrorOf(error);
}
