import assert from 'node:assert/strict';
import { it } from 'node:test';
import { HOUR_MS } from '../../src/domain/broker-time.ts';
import { FRESH_MS, standingNow, standingStateOf } from '../../src/services/overview/standing.ts';
import type { Account } from '../../src/storage/account-store.ts';
import { readFeed } from '../../src/storage/event-feed-store.ts';
import { LOOK_EVERY_MS, SilenceWatch } from '../../src/workers/silence-watch.ts';
import { needs } from '../needs.ts';
import { openTestDatabase } from '../servers/test-databases.ts';
import { TestTime } from '../servers/test-time.ts';
import { until, untilPassed } from '../servers/until.ts';
import { newAccount } from '../storage-contract/fixture.ts';
import { LiveProcess, NEVER_MS } from './live-process.ts';

needs('postgres');

const NAMES = new Map<string, string>();
const OFF_MS = { right: 0, ahead: 3 * HOUR_MS, behind: -HOUR_MS };
const UTC = { zone: 'UTC', shiftHours: 0 };

for (const kind of ['sqlite', 'postgres'] as const) {
  it(`wrong clocks neither hide a dead feed nor make a live one silent, on ${kind}`, async () => {
    await using stack = new AsyncDisposableStack();
    const opened = await openTestDatabase(kind);
    stack.defer(() => opened.close());
    const { database } = opened;
    const time = new TestTime(Date.UTC(2026, 2, 2, 8));
    const live = await LiveProcess.start(database, {
      ...{ time, checkpointMs: 100, beatMs: NEVER_MS, patienceMs: NEVER_MS },
    });
    stack.defer(() => live.engine.stop());
    const feeds: { account: Account; name: string; offMs: number }[] = [];
    const [first, ...rest] = Object.entries(OFF_MS);
    assert.ok(first);
    const owner = await newAccount(database, { brokerClock: UTC, silentAfterSeconds: 30 });
    feeds.push({ account: owner, name: first[0], offMs: first[1] });
    for (const [name, offMs] of rest) {
      const parts = { userId: owner.userId, brokerClock: UTC, silentAfterSeconds: 30 };
      feeds.push({ account: await newAccount(database, parts), name, offMs });
    }
    const watch = new SilenceWatch();
    const { signal } = new AbortController();
    let isFed = true;
    const pass = async (seconds: number): Promise<void> => {
      for (let second = 0; second < seconds; second += LOOK_EVERY_MS / 1000) {
        await time.pass(LOOK_EVERY_MS);
        if (isFed) {
          const rows = feeds.map(({ account, offMs }) => ({
            ...{ account, timeMs: time.now() + offMs, balance: 10_000, equity: 9_900 - second },
          }));
          await live.send(owner.userId, rows);
        }
        await watch.look(live.context, time, signal);
      }
    };
    const told = async (): Promise<string[]> => {
      const { events } = await readFeed(database, 0, 1000);
      return events.flatMap(({ accountNumber, event }) => {
        const name = feeds.find(({ account }) => account.number === accountNumber)?.name;
        return 'feed' in event ? [`${name} ${event.feed}`] : [];
      });
    };
    const states = async () =>
      Object.fromEntries(
        await Promise.all(
          feeds.map(async ({ account, name }) => {
            const standing = await live.read(account, (view) => standingNow(view, NAMES));
            assert.ok(standing);
            return [name, standingStateOf({ deployed: true }, standing, time.now())];
          }),
        ),
      );
    await pass(60);
    await until(async () => (await told()).length >= 2, 'two clocks to be told');
    assert.deepEqual((await told()).sort(), ['ahead clockOff', 'behind clockOff']);
    assert.deepEqual(await states(), { right: 'live', ahead: 'live', behind: 'live' });
    isFed = false;
    await untilPassed(
      () => pass(5),
      async () => (await told()).length >= 5,
      'three silences',
    );
    assert.deepEqual((await told()).sort(), [
      ...['ahead clockOff', 'ahead silence', 'behind clockOff', 'behind silence'],
      'right silence',
    ]);
    time.setClock(time.now() + FRESH_MS);
    assert.deepEqual(await states(), { right: 'stale', ahead: 'stale', behind: 'stale' });
    assert.equal((await told()).length, 5);
  });
}
