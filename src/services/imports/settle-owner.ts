import type { Stated } from '../../statements/statement.ts';
import { type Account, holdsNothing, updateAccountRow } from '../../storage/account-store.ts';
import type { Transaction } from '../../storage/database.ts';
import { held, locked } from '../accounts/access-account.ts';
import type { AuditNote } from '../changes.ts';
import { ServiceError } from '../errors.ts';

/** A report's facts about its account that differ from the account's record. */
export type Facts = Pick<Stated, 'login' | 'currency' | 'platform' | 'leverage'>;
type Trait = 'currency' | 'platform' | 'login';
export type Difference = { parameter: Trait; message: string };

/** Terminals and brokers mask logins. */
export const isLogin = (text: string): boolean => /^\d{1,18}$/.test(text);

/** The fixed traits of an account in which a report differs from it. */
export function differencesOf(facts: Facts, account: Pick<Account, Trait>): Difference[] {
  return (['login', 'currency', 'platform'] as const).flatMap((parameter) => {
    const [theirs, own] = [facts[parameter], account[parameter]];
    if (theirs === undefined || theirs === own) return [];
    if (parameter === 'login' && !isLogin(theirs)) return [];
    return [{ parameter, message: `the report has ${theirs}, the account ${own}` }];
  });
}

/** Accepting another login (`force`), and adopting the report's facts (`adopt`). */
export type OwnerOptions = { force: boolean; adopt: boolean };

/** The account for the report, its notes for the audit, and the warnings. */
export type Owner = { account: Account; audit: AuditNote[]; warnings: string[] };

/**
 * Compares a report with the account that it is imported into. An empty account adopts the report's
 * facts. Throws `conflict` if they differ otherwise; only another login may be forced, because
 * brokers change logins; another currency or platform never.
 */
export async function settleOwner(
  tx: Transaction,
  account: Account,
  facts: Facts,
  { force, adopt }: OwnerOptions,
): Promise<Owner> {
  const now = await held(tx, account);
  const differences = differencesOf(facts, now);
  if (differences.length === 0) return { account: now, audit: [], warnings: [] };
  const canAdopt = now.profileId === null && (await holdsNothing(tx, now.number));
  const isForced = force && differences.every(({ parameter }) => parameter === 'login');
  if (isForced)
    return {
      account: now,
      audit: [],
      warnings: differences.map(
        ({ parameter, message }) => `Imported although the ${parameter} differs: ${message}`,
      ),
    };
  if (!canAdopt || !adopt) throw foreign(differences, canAdopt);
  return adopted(tx, now, facts);
}

async function adopted(tx: Transaction, account: Account, facts: Facts): Promise<Owner> {
  const { login, currency, platform, leverage } = facts;
  const before = await locked(tx, account);
  const change = {
    ...(login !== undefined && isLogin(login) ? { login } : {}),
    ...(currency === undefined ? {} : { currency }),
    ...(platform === undefined ? {} : { platform }),
    ...(leverage === undefined || leverage <= 0 ? {} : { leverage }),
  };
  const after = { ...before, ...change };
  await updateAccountRow(tx, after);
  const { userId, id: accountId } = before;
  const words = differencesOf(facts, before).map(
    ({ parameter }) => `${parameter} ${after[parameter]} (was ${before[parameter]})`,
  );
  return {
    account: after,
    audit: [{ action: 'account.changed', userId, accountId, details: change }],
    warnings: [`The account held nothing yet and became that of the report: ${words.join(', ')}`],
  };
}

/** The refusal of another account's report. */
export function foreign(differences: readonly Difference[], canAdopt: boolean): ServiceError {
  const traits = differences.map(({ parameter, message }) => `${parameter}: ${message}`).join('; ');
  const isLoginAlone = differences.every(({ parameter }) => parameter === 'login');
  const advice = [
    ...(isLoginAlone ? ['Send it with force=true if it belongs here'] : []),
    ...(canAdopt ? ['Send it with adopt=true to make the account that of the report'] : []),
    ...(isLoginAlone || canAdopt ? [] : ['Import it into an account of its own']),
  ];
  return new ServiceError(
    'conflict',
    `The report belongs to another account (${traits}). ${advice.join('. ')}`,
    { details: differences },
  );
}
