import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { keyListFaults } from '../../src/domain/evidence/key-list.ts';
import type { Context } from '../../src/services/context.ts';
import { EvidenceKeys } from '../../src/services/evidence/evidence-keys.ts';
import { missingKeys, readKeyUse } from '../../src/services/keys/check-keys.ts';
import { rotateEvidenceKey, rotateKeys } from '../../src/services/keys/rotate-keys.ts';
import { joinProcesses, removeProcess } from '../../src/storage/claim-store.ts';
import type { Database } from '../../src/storage/database.ts';
import { KeyRing, LockedSecret } from '../../src/storage/key-ring.ts';
import type { SealedSecret } from '../../src/storage/secret-box.ts';
import { findWebhook, insertWebhook } from '../../src/storage/webhook-store.ts';
import { testContext } from '../servers/test-context.ts';
import { openTestDatabase, type TestDatabase } from '../servers/test-databases.ts';
import { newUser } from './fixture.ts';

const [FIRST, SECOND] = [randomBytes(32), randomBytes(32)];
const BY = { actor: 'cli:test', tokenId: null };

/** The keys of a database: the current one, the needed ones, and their replacement. */
export function registerKeyContract(kind: Database['kind']): void {
  describe('keys', () => {
    let opened: TestDatabase;
    before(async () => {
      opened = await openTestDatabase(kind);
    });
    after(() => opened.close());
    const ringOf = (...keys: Buffer[]) => new KeyRing(opened.database, keys, Date.now);
    const contextOf = (...keys: Buffer[]): Promise<Context> =>
      testContext(opened.database, { secrets: ringOf(...keys) });

    /** A webhook whose secret is its own id. */
    async function seal(ring: KeyRing): Promise<{ userId: string; id: string }> {
      const [userId, id] = [await newUser(opened.database), randomUUID()];
      await opened.database.transaction(async (tx) => {
        await insertWebhook(tx, {
          ...{ id, userId, url: 'https://a.example/', events: ['drawdown'], delivery: 'single' },
          ...(await ring.seal(tx, id, id)),
          ...{ createdAtMs: 1, attempts: 0, dueAtMs: 0, lastNumber: 0, wantedNumber: 0 },
          ...{ tookMs: 0, lastResult: null },
        });
      });
      return { userId, id };
    }
    async function stored({ userId, id }: { userId: string; id: string }): Promise<SealedSecret> {
      const webhook = await findWebhook(opened.database, userId, id);
      assert.ok(webhook);
      return webhook;
    }

    it('are made by the server, replaced by that of the settings, and rotated', async () => {
      const early = await seal(ringOf());
      const later = await seal(ringOf(FIRST));
      for (const one of [early, later]) {
        assert.equal(await ringOf(FIRST).open(await stored(one), one.id), one.id);
      }
      assert.equal(await missingKeys(opened.database, ringOf(FIRST)), undefined);
      const [first = ''] = ringOf(FIRST).settingIds;
      assert.match((await missingKeys(opened.database, ringOf())) ?? '', new RegExp(first));
      assert.match((await missingKeys(opened.database, ringOf(SECOND))) ?? '', /a webhook/);
      await assert.rejects(ringOf(SECOND).open(await stored(later), later.id), LockedSecret);
      assert.equal((await rotateKeys(await contextOf(FIRST), BY)).encrypted, 1);
      const done = await rotateKeys(await contextOf(SECOND, FIRST), BY);
      assert.deepEqual([done.encrypted, done.locked], [2, 0]);
      assert.equal(await missingKeys(opened.database, ringOf(SECOND)), undefined);
      for (const one of [early, later]) {
        assert.equal(await ringOf(SECOND).open(await stored(one), one.id), one.id);
      }
      const use = await readKeyUse(opened.database, ringOf(SECOND));
      assert.deepEqual(
        use.map(({ kept, isCurrent, secrets }) => [kept, isCurrent, secrets.webhooks]),
        [
          ['database', false, 0],
          ['missing', false, 0],
          ['settings', true, 2],
        ],
      );
    });

    it('are not replaced while a process lacks the new one', async () => {
      const row = {
        ...{
          id: randomUUID(),
          beat: 1,
          shares: [],
          startedAtMs: 0,
          host: 'elsewhere',
          seenAtMs: 0,
        },
        ...{ report: null, mark: null, schemaVersion: 9999, keyIds: ringOf(SECOND).settingIds },
      };
      await opened.database.transaction((tx) => joinProcesses(tx, row));
      const third = await contextOf(randomBytes(32), SECOND);
      await assert.rejects(rotateKeys(third, BY), /on elsewhere do not have the key/);
      const webhook = await seal(third.secrets);
      assert.equal(await ringOf(SECOND).open(await stored(webhook), webhook.id), webhook.id);
      await opened.database.transaction((tx) => removeProcess(tx, row.id));
    });

    it('of evidence vouch each for the next, in a list that the last one signs', async () => {
      const context = await contextOf(SECOND);
      const keys = new EvidenceKeys(context);
      const [before, again] = await Promise.all([keys.publish(), keys.publish()]);
      assert.equal(before.publicKey, again.publicKey);
      const { publicKey } = await rotateEvidenceKey(context, BY);
      const list = await keys.publish();
      assert.deepEqual([list.publicKey, list.keys.length], [publicKey, 2]);
      assert.deepEqual(keyListFaults(list), []);
      const locked = new EvidenceKeys(await contextOf());
      assert.equal((await locked.publish()).signature, undefined);
      await assert.rejects(locked.signer(), LockedSecret);
      await rotateEvidenceKey(await contextOf(), BY);
      assert.deepEqual(keyListFaults(await keys.publish()), [
        'key 3 of the list: the key before it does not vouch for it',
      ]);
      const forged = list.keys.map((key) => ({ ...key, validFrom: '2020-01-01T00:00:00.000Z' }));
      assert.ok(keyListFaults({ ...list, keys: forged }).length >= 2);
    });
  });
}
