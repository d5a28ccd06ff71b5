import { encodeCommit } from '../../src/journal/commit-codec.ts';
import { type Command, commitOf } from '../../src/journal/entry.ts';
import { type Account, findAccount, insertAccount } from '../../src/storage/account-store.ts';
import type { Database, Transaction } from '../../src/storage/database.ts';
import { insertEnrolment } from '../../src/storage/enrolment-store.ts';
import { appendJournal } from '../../src/storage/journal-store.ts';
import { readPartitions } from '../../src/storage/partition-store.ts';
import { insertTracker } from '../../src/storage/tracker-store.ts';
import { insertUser } from '../../src/storage/user-store.ts';
import type { SimulatedAccount } from '../simulation/simulated-accounts.ts';

export const USER_ID = 'user-of-the-feed';

/** A user with the accounts and trackers of a simulation. */
export async function storeSimulatedAccounts(
  database: Database,
  accounts: readonly SimulatedAccount[],
): Promise<Account[]> {
  await insertUser(database, {
    ...{ id: USER_ID, email: 'feed@example.com', name: null, createdAtMs: 1 },
  });
  const { length: partitions } = await readPartitions(database);
  const stored = await database.transaction(async (tx) => {
    const inserted: Account[] = [];
    for (const account of accounts) inserted.push(await store(tx, account));
    return inserted;
  });
  const tell = async (number: number, command: Command): Promise<void> => {
    const commit = commitOf(1, number, partitions, command);
    await appendJournal(database, 1, encodeCommit(commit));
  };
  for (const [index, { number }] of stored.entries()) {
    for (const definition of accounts[index]?.trackers ?? []) {
      await tell(number, { kind: 'tracker-added', definition });
    }
    for (const definition of accounts[index]?.enrolments ?? []) {
      await tell(number, { kind: 'enrolment-added', definition });
    }
  }
  return stored;
}

async function store(tx: Transaction, simulated: SimulatedAccount): Promise<Account> {
  const { id, clock, trackers, enrolments = [] } = simulated;
  const account = {
    ...{ id, userId: USER_ID, name: id, platform: 'p5' as const, login: '1', broker: 'Simulated' },
    ...{ currency: 'USD', leverage: 100, brokerClock: clock, region: 'main', tier: 'g1' as const },
    ...{ copy: false, dedicatedIpv4: false, deployed: true, statisticsEnabled: true },
    ...{
      marginMode: 'ACCOUNT_MARGIN_MODE_RETAIL_HEDGING',
      profileId: null,
      labels: [],
      createdAtMs: 1,
    },
  };
  const number = await insertAccount(tx, account);
  for (const definition of trackers) await insertTracker(tx, number, definition, 1);
  for (const definition of enrolments) {
    const program = { programId: 'program', version: 1, phase: 1 };
    await insertEnrolment(tx, { ...program, accountNumber: number, definition, createdAtMs: 1 });
  }
  return { ...account, number };
}

/** An account of the simulation's user, as it is stored. */
export async function simulatedAccount(database: Database, id: string): Promise<Account> {
  const account = await findAccount(database, USER_ID, id);
  if (!account) throw new Error(`The account ${id} of the feed is missing`);
  return account;
}
