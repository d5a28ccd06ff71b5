import type { Stated } from '../../statements/statement.ts';
import type { Account } from '../../storage/account-store.ts';
import type { Sql } from '../../storage/database.ts';
import { findStatedOwner } from '../../storage/import-store.ts';
import { ServiceError } from '../errors.ts';

/** What is known of an account's owner. */
export type Owner = { login?: string | undefined; currency?: string | undefined };

/**
 * What is known for sure of an account's owner: from its platform, else from the reports imported
 * before. If it has neither, its login and currency are only what somebody typed.
 */
export async function knownOwner(sql: Sql, account: Account): Promise<Owner> {
  return account.profileId === null ? findStatedOwner(sql, account.number) : account;
}

/** The traits in which a report's account differs from the owner's. */
export function foreignTraits(
  stated: Pick<Stated, 'login' | 'currency'>,
  owner: Owner,
): { parameter: 'login' | 'currency'; message: string }[] {
  return (['login', 'currency'] as const).flatMap((parameter) => {
    const [theirs, own] = [stated[parameter], owner[parameter]];
    return theirs === undefined || own === undefined || theirs === own
      ? []
      : [{ parameter, message: `the report has ${theirs}, the account ${own}` }];
  });
}

/** Throws `conflict` for the report of another account. */
export function refuseForeign(stated: Pick<Stated, 'login' | 'currency'>, owner: Owner): void {
  const foreign = foreignTraits(stated, owner);
  if (foreign.length === 0) return;
  const traits = foreign.map(({ parameter, message }) => `${parameter}: ${message}`).join('; ');
  throw new ServiceError(
    'conflict',
    `The report belongs to another account (${traits}). Send it with force=true if it belongs here`,
    { details: foreign },
  );
}
