import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { needs } from '../../../test/needs.ts';
import { testContext } from '../../../test/servers/test-context.ts';
import { newAccount, newUser, useDatabase } from '../../../test/storage-contract/fixture.ts';
import type { NewAccount } from '../../contract/operations/accounts.ts';
import { findAccount } from '../../storage/account-store.ts';
import type { Database, Sql } from '../../storage/database.ts';
import { insertProfile } from '../../storage/profile-store.ts';
import { createAccount } from '../accounts/create-account.ts';
import { updateAccount } from '../accounts/update-account.ts';
import type { Context, Principal } from '../context.ts';
import type { ServiceError } from '../errors.ts';
import { deleteProfile } from './delete-profile.ts';

needs('postgres');

const QUOTA = 100;
const SETTINGS = {
  regions: ['main'],
  quotaDefaults: {
    ...{ maxAccounts: QUOTA, maxDeployedG1Accounts: QUOTA, maxDeployedG2Accounts: QUOTA },
    ...{ maxDeployedCopyAccounts: QUOTA, maxDedicatedIpv4: QUOTA },
  },
};
type Vanishing = { context: Context; userId: string; who: Principal; profileId: string };

const ACCOUNT: NewAccount = {
  ...{ name: 'Account', platform: 'p5', login: '1', broker: 'Broker', currency: 'USD' },
  leverage: 100,
};

for (const kind of ['sqlite', 'postgres'] as const) {
  describe(`the deletion of a profile on ${kind}`, () => {
    const use = useDatabase(kind);

    /** A user's profile that is deleted right after being checked. */
    async function vanishing(): Promise<Vanishing> {
      const { database } = use;
      const userId = await newUser(database);
      const profileId = await newProfile(database, userId);
      const who: Principal = {
        ...{ userId, tokenId: 'token', scopes: new Set(['write']), accountNumbers: undefined },
      };
      const plain = await testContext(database);
      const gateways = { close: async () => {} };
      const get: Sql['get'] = async (sql, params) => {
        const row = await database.get(sql, params);
        if (row && sql.includes('from provisioning_profile')) {
          await deleteProfile({ ...plain, gateways }, who, profileId, { force: true });
        }
        return row as never;
      };
      const sql: Sql = {
        ...{ kind: database.kind, get },
        all: (text, params) => database.all(text, params),
        run: (text, params) => database.run(text, params),
      };
      return { context: { ...plain, database: sql }, userId, who, profileId };
    }

    it('leaves no account behind that is being bound to it', async () => {
      const { context, userId, who, profileId } = await vanishing();
      const id = 'new-account';
      const created = createAccount({ ...context, ...SETTINGS }, who, {
        ...ACCOUNT,
        id,
        profileId,
      });
      await assert.rejects(created, refusal);
      assert.equal(await findAccount(use.database, userId, id), undefined);
    });

    it('lets no further account be bound to it', async () => {
      const { context, userId, who, profileId } = await vanishing();
      const { id } = await newAccount(use.database, { userId });
      const bound = updateAccount({ ...context, ...SETTINGS }, who, id, { profileId });
      await assert.rejects(bound, refusal);
      const account = await findAccount(use.database, userId, id);
      assert.equal(account?.profileId, null);
    });
  });
}

const refusal = (error: ServiceError): boolean =>
  error.code === 'validation' &&
  JSON.stringify(error.details).startsWith('[{"parameter":"profileId"');

async function newProfile(database: Database, userId: string): Promise<string> {
  const id = `profile-of-${userId}`;
  await insertProfile(database, {
    ...{ id, userId, name: 'Profile', platform: 'p5', kind: 'simulated' },
    ...{ server: null, login: null, tlsFingerprint: null, tlsCa: null },
    ...{ secret: null, secretKeyId: null, brokerClock: { zone: 'UTC', shiftHours: 0 } },
    ...{ allowedActions: [], createdAtMs: 1 },
    ...{ lastSuccessMs: null, lastErrorMs: null, lastError: null },
  });
  return id;
}
