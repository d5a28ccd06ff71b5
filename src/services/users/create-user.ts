import { UniqueViolation } from '../../storage/database.ts';
import { insertUser } from '../../storage/user-store.ts';
import type { Actor } from '../changes.ts';
import type { Context } from '../context.ts';
import { conflict } from '../errors.ts';

/** Creates a user. E-mail addresses are unique, ignoring case; a taken one is a `conflict`. */
export async function createUser(
  { changes, now, newId }: Context,
  by: Actor,
  input: { email: string; name?: string | undefined },
): Promise<{ id: string; email: string }> {
  const email = input.email.trim().toLowerCase();
  const user = { id: newId(), email, name: input.name ?? null, createdAtMs: now() };
  try {
    await changes.make(by, async (tx) => {
      await insertUser(tx, user);
      return {
        result: undefined,
        audit: [{ action: 'user.created', userId: user.id, details: { email } }],
      };
    });
  } catch (error) {
    if (error instanceof UniqueViolation)
      throw conflict(`A user with the e-mail address ${email} already exists`);
    throw error;
  }
  return { id: user.id, email };
}
