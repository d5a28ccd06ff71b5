import { hashToken } from '../../src/services/users/authenticate.ts';
import { findAccounts, insertAccount } from '../../src/storage/account-store.ts';
import type { Database, Transaction } from '../../src/storage/database.ts';
import { type AccessToken, insertToken } from '../../src/storage/token-store.ts';
import { insertUser } from '../../src/storage/user-store.ts';
import type { TokenScope } from '../../src/words/service.ts';

export const TOKEN = 'plm_benchmark';
export const USER_ID = 'bench-user';

export const accountId = (index: number): string => `bench-${String(index).padStart(6, '0')}`;

/** The one user of a benchmark, whose token is TOKEN. */
export async function storeUser(database: Database): Promise<void> {
  await insertUser(database, { id: USER_ID, email: 'b@example.com', name: null, createdAtMs: 1 });
  const scopes: TokenScope[] = ['read', 'write', 'ingest'];
  await insertToken(database, { ...tokenOf('bench-token', TOKEN), scopes });
}

/** A token that reads some of the accounts alone. */
export async function storeNarrowToken(
  database: Database,
  secret: string,
  accountIds: string[],
): Promise<void> {
  const reached = await findAccounts(database, USER_ID, accountIds);
  const accountNumbers = reached.map(({ number }) => number);
  await insertToken(database, { ...tokenOf('narrow', secret), accountIds, accountNumbers });
}

const tokenOf = (id: string, secret: string): AccessToken => ({
  ...{ id, kind: 'token', userId: USER_ID, name: null, hash: hashToken(secret), scopes: ['read'] },
  ...{ accountIds: null, accountNumbers: null, createdAtMs: 1, expiresAtMs: null, madeBy: null },
  ...{ device: null, role: null, email: null, subject: null, providerSession: null },
});

export type BenchAccount = { id: string; number: number };

/** Accounts `from` and following. */
export async function storeAccounts(
  tx: Transaction,
  count: number,
  from = 0,
): Promise<BenchAccount[]> {
  const accounts: BenchAccount[] = [];
  for (let index = from; index < from + count; index += 1) {
    const id = accountId(index);
    const number = await insertAccount(tx, {
      ...{ id, userId: USER_ID, name: id, platform: 'p5', login: '1', broker: 'Bench' },
      ...{ currency: 'USD', leverage: 100, brokerClock: { zone: 'UTC', shiftHours: 0 } },
      ...{ region: 'main', tier: 'g1', copy: false, dedicatedIpv4: false, deployed: true },
      ...{ statisticsEnabled: true, marginMode: 'ACCOUNT_MARGIN_MODE_RETAIL_HEDGING' },
      ...{ profileId: null, labels: [], createdAtMs: 1 },
    });
    accounts.push({ id, number });
  }
  return accounts;
}
