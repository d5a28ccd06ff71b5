import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { needs } from '../../../test/needs.ts';
import { testContext } from '../../../test/servers/test-context.ts';
import { openTestDatabase } from '../../../test/servers/test-databases.ts';
import { TestTime } from '../../../test/servers/test-time.ts';
import { untilPassed } from '../../../test/servers/until.ts';
import { newAccount } from '../../../test/storage-contract/fixture.ts';
import { eventOf, ownPartition } from '../../../test/storage-contract/live-fixture.ts';
import { listAudit } from '../../services/audit/list-audit.ts';
import { EvidenceKeys } from '../../services/evidence/evidence-keys.ts';
import type { Account } from '../../storage/account-store.ts';
import type { Database } from '../../storage/database.ts';
import { readLastNumber, skipEventNumbers } from '../../storage/event-number-store.ts';
import { storeEvents } from '../../storage/event-store.ts';
import { countAsides } from '../../storage/seal-aside-store.ts';
import { listSeals, readSealHead } from '../../storage/seal-store.ts';
import { Sealer } from './sealer.ts';

needs('postgres');

/** What somebody does to the database, and what undoes it. */
type Damage = {
  of: string;
  reason: RegExp;
  harm: (database: Database, account: Account) => Promise<() => Promise<unknown>>;
};

/** Changes a column of one row, which can be put back. */
const changing =
  (
    table: string,
    column: string,
    value: string | number | Uint8Array,
    which: string,
  ): Damage['harm'] =>
  async (database, { userId }) => {
    const where = `user_id = $1 ${which}`;
    const row = await database.get<{ old: string | number | Uint8Array }>(
      `select ${column} as old from ${table} where ${where}`,
      [userId],
    );
    assert.ok(row);
    const set = (to: typeof value) =>
      database.run(`update ${table} set ${column} = $2 where ${where}`, [userId, to]);
    await set(value);
    return () => set(row.old);
  };

const DAMAGES: readonly Damage[] = [
  {
    of: 'a hash of the tree',
    reason: /are not those that were signed: restore/,
    harm: changing('event_seal', 'hashes', new Uint8Array(64), 'and place = 2'),
  },
  {
    of: 'the size of the tree',
    reason: /seals beyond the 1 of the head/,
    harm: changing('seal_tree', 'size', 1, ''),
  },
  {
    of: 'the signature of the head',
    reason: /the log has the error/,
    harm: changing('seal_tree', 'head', 'No note.\n', ''),
  },
  {
    of: 'an event, which nobody can read',
    reason: /Event \d+ or its tree cannot be read/,
    harm: changing('tracker_event', 'record', '{', 'and start_time_ms = 2'),
  },
  {
    of: 'the head, which is gone',
    reason: /seals beyond the 0 of the head/,
    harm: async (database, { userId }) => {
      const which = 'from seal_tree where user_id = $1';
      const row = await database.get<{ head: string }>(`select head ${which}`, [userId]);
      assert.ok(row);
      await database.run(`delete ${which}`, [userId]);
      return () => database.run('insert into seal_tree values ($1, 2, $2)', [userId, row.head]);
    },
  },
];

async function startSealer(database: Database, stack: AsyncDisposableStack) {
  const time = new TestTime();
  const context = { ...(await testContext(database)), now: () => time.now() };
  const sealer = new Sealer(context, database, new EvidenceKeys(context), time);
  sealer.start();
  stack.defer(async () => {
    let isOver = false;
    const stopped = sealer.stop().then(() => {
      isOver = true;
    });
    // It ends what it is about.
    await untilPassed(
      () => time.pass(100),
      () => isOver,
    );
    await stopped;
  });
  return { time, context };
}

for (const kind of ['sqlite', 'postgres'] as const) {
  describe(`sealing on ${kind}`, () => {
    test('passes over numbers that no event has', async () => {
      await using stack = new AsyncDisposableStack();
      const opened = await openTestDatabase(kind);
      stack.defer(() => opened.close());
      const { database } = opened;
      const { time } = await startSealer(database, stack);
      const { number, userId } = await newAccount(database);
      const { partition, epoch } = await ownPartition(database);
      const happens = async (startTimeMs: number) => {
        const event = eventOf(number, { startTimeMs, position: startTimeMs });
        const found = { ...event, beforeBreach: new Uint8Array() };
        await storeEvents(database, partition, epoch, [found], 0);
      };
      const sealed = () =>
        untilPassed(
          () => time.pass(100),
          async () => (await readSealHead(database)) === (await readLastNumber(database)),
          'all seals',
        );
      await happens(1);
      await sealed();
      await database.transaction(skipEventNumbers);
      await sealed();
      await happens(2);
      await sealed();
      const seals = await listSeals(database, userId, 1, 100);
      assert.deepEqual(
        seals.map(({ sequenceNumber }) => sequenceNumber),
        [1, await readLastNumber(database)],
      );
    });

    for (const { of, reason, harm } of DAMAGES) {
      test(`goes on for all other users when somebody changed ${of}`, async () => {
        await using stack = new AsyncDisposableStack();
        const opened = await openTestDatabase(kind);
        stack.defer(() => opened.close());
        const { database } = opened;
        const { time, context } = await startSealer(database, stack);
        const [harmed, other] = [await newAccount(database), await newAccount(database)];
        const { partition, epoch } = await ownPartition(database);
        let position = 0;
        const happens = async (startTimeMs: number, accounts: readonly Account[]) => {
          const found = accounts.map(({ number }, ordinal) => ({
            ...eventOf(number, { startTimeMs, timeMs: startTimeMs, position, ordinal }),
            beforeBreach: new Uint8Array(),
          }));
          position += 1;
          await storeEvents(database, partition, epoch, found, 0);
        };
        const sealed = async ({ userId }: Account) =>
          (await listSeals(database, userId, 1, 100)).map(({ place }) => place);
        const until = (places: number, account: Account) =>
          untilPassed(
            () => time.pass(100),
            async () => (await sealed(account)).length === places,
            `${places} seals`,
          );
        for (const moment of [0, 1]) await happens(moment, [harmed, other]);
        await until(2, harmed);
        await happens(2, [harmed, other]);
        const undo = await harm(database, harmed);
        await until(3, other);
        // More than one transaction of them.
        for (let moment = 3; moment < 28; moment += 1) await happens(moment, [harmed, other]);
        await until(28, other);
        assert.deepEqual(await sealed(harmed), [1, 2]);
        assert.equal(await countAsides(database), 1);
        const told = async () =>
          (await listAudit(context, { limit: 9, offset: 0, userId: harmed.userId })).filter(
            ({ actor }) => actor === 'sealer',
          );
        const [note] = await told();
        assert.equal(note?.action, 'seals.set-aside');
        assert.match(String(note.details.reason), reason);
        await undo();
        await until(28, harmed);
        await happens(28, [harmed, other]);
        await until(29, harmed);
        assert.equal(await countAsides(database), 0);
        assert.deepEqual(
          (await told()).map(({ action, details }) => [action, details.fromNumber]),
          [
            ['seals.resumed', undefined],
            ['seals.set-aside', 5],
          ],
        );
        const numbers = (await listSeals(database, harmed.userId, 1, 100)).map(
          ({ sequenceNumber }) => sequenceNumber,
        );
        assert.deepEqual(
          numbers,
          numbers.toSorted((a, b) => a - b),
        );
      });
    }
  });
}
