import assert from 'node:assert/strict';
import { test } from 'node:test';
import { needs } from '../../test/needs.ts';
import { openTestDatabase } from '../../test/servers/test-databases.ts';
import { TestTime } from '../../test/servers/test-time.ts';
import { newAccount } from '../../test/storage-contract/fixture.ts';
import { liveAccountOf } from '../../test/storage-contract/live-fixture.ts';
import type { Command } from '../journal/entry.ts';
import type { Changes } from '../services/changes.ts';
import { writeLiveAccounts } from '../storage/live-store.ts';
import { noteSyncFailure } from '../storage/sync-store.ts';
import { LOOK_EVERY_MS, SilenceWatch } from './silence-watch.ts';

needs('postgres');

const NOW_MS = Date.UTC(2026, 2, 2);
const { signal } = new AbortController();

for (const kind of ['sqlite', 'postgres'] as const) {
  test(`reports feeds that stand still, read or sent, on ${kind}`, async () => {
    await using stack = new AsyncDisposableStack();
    const opened = await openTestDatabase(kind);
    stack.defer(() => opened.close());
    const { database } = opened;
    const time = new TestTime(NOW_MS);
    const told: [number, Command][] = [];
    const changes: Pick<Changes, 'record'> = {
      record: (work) =>
        database.transaction((tx) =>
          work({
            ...tx,
            append: async () => {},
            hold: async () => ({ items: 0, bytes: 0 }),
            tell: async (number, { command }) => {
              if (command) told.push([number, command]);
            },
          }),
        ),
    };
    const now = () => time.now();
    const watch = new SilenceWatch();
    const look = async (): Promise<[number, Command][]> => {
      told.length = 0;
      await time.pass(LOOK_EVERY_MS);
      await watch.look({ database, changes: changes as Changes, now }, time, signal);
      return [...told];
    };
    const read = { profileId: 'profile', createdAtMs: NOW_MS - 90_000 };
    const neverRead = await newAccount(database, read);
    await newAccount(database, { ...read, silentAfterSeconds: 0 });
    await newAccount(database, { createdAtMs: NOW_MS - 90_000 });
    const sent = await newAccount(database, { silentAfterSeconds: 30 });
    const ahead = await newAccount(database, { silentAfterSeconds: 30 });
    const failure = { failures: 1, lastError: 'no answer', readAtMs: null };
    await database.transaction(async (tx) => {
      const { number: accountNumber } = neverRead;
      await noteSyncFailure(tx, { accountNumber, profileId: 'profile' }, failure);
    });
    const seen = (number: number, freshUtcMs: number) =>
      database.transaction((tx) => writeLiveAccounts(tx, [liveAccountOf(number, { freshUtcMs })]));
    await seen(sent.number, NOW_MS - 29_000);
    // Received by a process whose clock was wrong.
    await seen(ahead.number, NOW_MS + 3_600_000);
    assert.deepEqual(await look(), []);
    assert.deepEqual(await look(), []);
    const silence = (freshUtcMs: number) => ({ kind: 'feed-silent', freshUtcMs });
    const ofRead = [neverRead.number, { ...silence(NOW_MS - 90_000), reason: 'no answer' }];
    const ofSent = [sent.number, silence(NOW_MS - 29_000)];
    assert.deepEqual((await look()).sort(), [ofRead, ofSent].sort());
    // One that moves by its own time is not silent, however old its receipts look.
    await seen(sent.number, NOW_MS - 28_000);
    assert.deepEqual(await look(), [ofRead]);
    await look();
    await look();
    assert.deepEqual(
      (await look()).map(([number]) => number).sort(),
      [neverRead.number, sent.number, ahead.number].sort(),
    );
  });
}
