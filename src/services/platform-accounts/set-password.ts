import type { PasswordKind } from '../../words/accounts.ts';
import type { Principal } from '../context.ts';
import { notFound } from '../errors.ts';
import { type ActionPlace, allowedProfile } from './allowed-actions.ts';
import { randomPassword } from './random-password.ts';
import { runOperation } from './run-operation.ts';
import type { PlatformContext } from './use-platform.ts';

export type PasswordInput = { kind: PasswordKind; password?: string | undefined };

/** The password is present only if generated here, and only in this answer. */
export type PasswordSet = { kind: PasswordKind; password?: string };

/** Sets a password of an account: a given or a generated one. */
export async function setPassword(
  context: PlatformContext,
  principal: Principal,
  { login, idempotencyKey, ...place }: ActionPlace,
  { kind, password }: PasswordInput,
): Promise<PasswordSet> {
  const profile = await allowedProfile(context, principal, place, ['setPassword']);
  const about = { password: kind, isGiven: password !== undefined };
  const operation = { profile, login, idempotencyKey, input: about, details: about };
  return runOperation<PasswordSet>(
    context,
    principal,
    { kind: 'set-password', ...operation },
    {
      run: async (gateway) => {
        if (!(await gateway.settings(login))) throw notFound('Account');
        if (password !== undefined) {
          await gateway.setPassword({ login, kind, password });
          return { kind };
        }
        const made = randomPassword();
        await gateway.setPassword({ login, kind, password: made });
        return { kind, password: made };
      },
      note: () => ({}),
      isKept: false,
    },
  );
}
