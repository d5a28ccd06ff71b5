import type { AccountPassword } from '../gateway.ts';
import type { P5Client } from './client.ts';
import type { P5Record } from './record.ts';
import { RetcodeError } from './retcode.ts';

const WRONG_PASSWORD = 3006;

/** Sets a password; repeating it changes nothing, so it is sent again after a lost answer. */
export async function setPassword(client: P5Client, password: AccountPassword): Promise<void> {
  const body = bodyOf(password);
  await client.call({ command: '/api/user/change_password', body });
}

export async function checkPassword(client: P5Client, password: AccountPassword): Promise<boolean> {
  try {
    await client.call({ command: '/api/user/check_password', body: bodyOf(password) });
    return true;
  } catch (error) {
    if (error instanceof RetcodeError && error.retcode === WRONG_PASSWORD) return false;
    throw error;
  }
}

/** Passwords travel in bodies, never in addresses, which get logged. */
const bodyOf = ({ login, kind, password }: AccountPassword): P5Record => ({
  Login: String(login),
  Type: kind,
  Password: password,
});
