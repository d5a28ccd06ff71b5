import type { NewPlatformUser } from '../../platforms/gateway.ts';
import type { Principal } from '../context.ts';
import { invalidParameter } from '../errors.ts';
import { accessProfile } from '../profiles/access-profile.ts';
import { randomPassword } from './random-password.ts';
import { runOperation } from './run-operation.ts';
import type { PlatformContext, ProfilePlace } from './use-platform.ts';

export type OpenAccountInput = Omit<
  NewPlatformUser,
  'name' | 'enabled' | 'password' | 'investorPassword' | 'repeated'
> & {
  firstName?: string | undefined;
  middleName?: string | undefined;
  lastName?: string | undefined;
  enabled?: boolean | undefined;
};

/** The passwords are only in this answer: they are neither stored nor logged. */
export type OpenedAccount = { login: string; password: string; investorPassword: string };

/**
 * Opens an account on the profile's platform. A request repeated with its idempotency key returns
 * the account opened by the first, with new passwords if the platform can set them.
 */
export async function openAccount(
  context: PlatformContext,
  principal: Principal,
  { idempotencyKey, ...place }: ProfilePlace & { idempotencyKey?: string | undefined },
  input: OpenAccountInput,
): Promise<OpenedAccount> {
  const profile = await accessProfile(context, principal, place.profileId, place.platform);
  // The specification allows any number; platforms have only whole ones.
  if (!Number.isInteger(input.leverage)) {
    throw invalidParameter('leverage', 'must be a whole number');
  }
  const { group } = input;
  const operation = { profile, idempotencyKey, input, details: { group } };
  return runOperation(
    context,
    principal,
    { kind: 'open-account', ...operation },
    {
      run: async (gateway, { requestId, repeated }) => {
        const password = randomPassword();
        const investorPassword = randomPassword();
        const user = { ...userOf(input), password, investorPassword, repeated };
        const { login } = await gateway.createUser(user, requestId);
        return { login, password, investorPassword };
      },
      note: ({ login }) => ({ login }),
      isKept: false,
    },
  );
}

function userOf({
  firstName,
  middleName,
  lastName,
  enabled,
  ...fields
}: OpenAccountInput): Omit<NewPlatformUser, 'password' | 'investorPassword'> {
  const names = [firstName, middleName, lastName].flatMap((name) => name?.trim() || []);
  return {
    ...fields,
    // Platforms require a name; an account without one is named by its e-mail address.
    name: names.length === 0 ? fields.email : names.join(' '),
    nameParts: names.length === 0 ? undefined : partsOf(firstName, middleName, lastName),
    enabled: enabled ?? true,
  };
}

const partsOf = (first = '', middle = '', last = '') => ({
  ...{ first: first.trim(), middle: middle.trim(), last: last.trim() },
});
