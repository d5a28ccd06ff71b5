import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TestTime } from '../../test/servers/test-time.ts';
import type { Commit } from '../journal/entry.ts';
import { Persistence } from './persistence.ts';
import { SettlingBreaches } from './settling-breaches.ts';

const silent = { info: () => {}, warn: () => {}, error: () => {} };

/** The breaches that settle, and the accounts that were told. */
function settlingOf() {
  const time = new TestTime();
  const told: [number | undefined, number][] = [];
  let failures = 0;
  const persistence = new Persistence(0, time, silent, () => {});
  const append = async ({ entries, receivedUtcMs }: Commit): Promise<void> => {
    if (failures > 0) {
      failures -= 1;
      throw new Error('The log does not answer');
    }
    const [entry] = entries.values();
    assert.deepEqual(entry?.command, { kind: 'breach-settled' });
    told.push([entry?.accounts[0], receivedUtcMs]);
  };
  const journal = { partitions: 1, append };
  const settling = new SettlingBreaches({ journal, time, persistence });
  const fail = (count: number): void => {
    failures = count;
  };
  return { settling, time, told, fail };
}

test('a breach is settled when its time is up, by one timer for all accounts', async () => {
  const { settling, time, told } = settlingOf();
  const nowMs = time.now();
  for (const number of [3, 1, 2]) {
    settling.note(number, nowMs + number * 1000, { settleDueUtcMs: 1, isGone: false });
  }
  assert.equal(time.timers, 1);
  await time.pass(999);
  assert.deepEqual(told, []);
  await time.pass(5000);
  assert.deepEqual(
    told,
    [1, 2, 3].map((number) => [number, nowMs + number * 1000]),
  );
  assert.equal(time.timers, 0);
});

test('an event is not published for a breach that was explained in time', async () => {
  const { settling, time, told } = settlingOf();
  settling.note(1, time.now() + 1000, { settleDueUtcMs: Number.NaN, isGone: false });
  // Not in memory: a new owner knows it only from the database, or it has left memory since.
  settling.note(2, time.now() + 1000);
  settling.note(3, time.now() + 1000, { settleDueUtcMs: Number.NaN, isGone: true });
  await time.pass(1000);
  assert.deepEqual(
    told.map(([number]) => number),
    [2, 3],
  );
});

test('asks a silent log again; a lost partition publishes nothing', async () => {
  const { settling, time, told, fail } = settlingOf();
  settling.note(1, time.now());
  fail(2);
  await time.pass(10_000);
  assert.equal(told.length, 1);
  settling.note(1, time.now() + 1000);
  settling.stop();
  await time.pass(10_000);
  assert.equal(told.length, 1);
});
