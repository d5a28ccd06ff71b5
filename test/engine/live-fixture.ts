import { appendCommand } from '../../src/services/snapshots/append-to-journal.ts';
import { insertAccount } from '../../src/storage/account-store.ts';
import type { Database } from '../../src/storage/database.ts';
import { insertTracker } from '../../src/storage/tracker-store.ts';
import { insertUser } from '../../src/storage/user-store.ts';
import type { SimulatedAccount } from '../simulation/simulated-accounts.ts';

export const USER_ID = 'user-of-the-feed';

/** A user with the accounts and trackers of a simulation. */
export async function storeSimulatedAccounts(
  database: Database,
  accounts: readonly SimulatedAccount[],
): Promise<void> {
  await insertUser(database, {
    id: USER_ID,
    email: 'feed@example.com',
    name: null,
    createdAtMs: 1,
  });
  await database.transaction(async (tx) => {
    for (const { id, clock, trackers } of accounts) {
      await insertAccount(tx, {
        id,
        userId: USER_ID,
        name: id,
        platform: 'p5',
        login: '1',
        broker: 'Simulated',
        currency: 'USD',
        leverage: 100,
        brokerClock: clock,
        region: 'main',
        tier: 'g1',
        copy: false,
        dedicatedIpv4: false,
        deployed: true,
        statisticsEnabled: true,
        marginMode: 'ACCOUNT_MARGIN_MODE_RETAIL_HEDGING',
        profileId: null,
        createdAtMs: 1,
      });
      for (const definition of trackers) {
        await insertTracker(tx, id, definition, 1);
        await appendCommand(tx, id, { kind: 'tracker-added', definition });
      }
    }
  });
}
