import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { TestTime } from '../../../test/servers/test-time.ts';
import { HistoryUpdates } from './history-updates.ts';

/** A reading that ends on command. */
function pending(): { promise: Promise<void>; end: () => void; fail: (error: Error) => void } {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  return { promise, end: () => resolve(), fail: reject };
}
const account = (number: number, userId = 'anna') => ({ number, userId });
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('a quick reading is awaited, and the next request starts another', async () => {
  const updates = new HistoryUpdates(new TestTime());
  let readings = 0;
  const read = async (): Promise<void> => {
    readings += 1;
  };
  assert.equal(await updates.update(account(1), read), true);
  assert.equal(await updates.update(account(1), read), true);
  assert.equal(readings, 2);
});

test('a retrying client finds the outcome of its first reading', async () => {
  const time = new TestTime();
  const updates = new HistoryUpdates(time);
  const reading = pending();
  const read = mock.fn(() => reading.promise);
  const first = updates.update(account(1), read);
  await settle();
  await time.pass(2_000);
  assert.equal(await first, false);
  reading.end();
  await settle();
  assert.equal(await updates.update(account(1), read), true);
  assert.equal(read.mock.callCount(), 1);
  assert.equal(await updates.update(account(1), async () => {}), true);
});

test('an outcome without a retry is forgotten', async () => {
  const time = new TestTime();
  const updates = new HistoryUpdates(time);
  const reading = pending();
  const first = updates.update(account(1), () => reading.promise);
  await settle();
  await time.pass(2_000);
  assert.equal(await first, false);
  reading.fail(new Error('the platform is away'));
  await settle();
  await time.pass(60_001);
  assert.equal(await updates.update(account(1), async () => {}), true);
  assert.equal(time.timers, 0);
});

test('requests for one account at once share one reading, others have their own', async () => {
  const updates = new HistoryUpdates(new TestTime());
  const reading = pending();
  const read = mock.fn(() => reading.promise);
  const other = mock.fn(async () => {});
  const both = Promise.all([updates.update(account(1), read), updates.update(account(1), read)]);
  assert.equal(await updates.update(account(2), other), true);
  reading.end();
  assert.deepEqual(await both, [true, true]);
  assert.equal(read.mock.callCount(), 1);
});

test('a failed reading is reported to all waiting callers and retried by the next', async () => {
  const updates = new HistoryUpdates(new TestTime());
  const reading = pending();
  const waiting = updates.update(account(1), () => reading.promise);
  reading.fail(new Error('the platform is away'));
  await assert.rejects(waiting, /away/);
  assert.equal(await updates.update(account(1), async () => {}), true);
});

test('a reading beyond the bound is refused and not begun', async () => {
  const updates = new HistoryUpdates(new TestTime());
  const reading = pending();
  let begun = 0;
  const read = (): Promise<void> => {
    begun += 1;
    return reading.promise;
  };
  const running = Array.from({ length: 1000 }, (_, number) =>
    updates.update(account(number, `${number % 4}`), read),
  );
  assert.equal(begun, 1000);
  await assert.rejects(updates.update(account(1000, 'another'), read), { code: 'unavailable' });
  assert.equal(begun, 1000);
  // A running reading is joined.
  const joined = updates.update(account(7), read);
  reading.end();
  assert.ok((await Promise.all([...running, joined])).every(Boolean));
  assert.equal(begun, 1000);
  assert.equal(await updates.update(account(1000), async () => {}), true);
});

test('readings of one user leave places for others', async () => {
  const updates = new HistoryUpdates(new TestTime());
  const reading = pending();
  const read = (): Promise<void> => reading.promise;
  const running = Array.from({ length: 250 }, (_, number) => updates.update(account(number), read));
  await assert.rejects(updates.update(account(250), read), { code: 'tooManyRequests' });
  assert.equal(await updates.update(account(251, 'bob'), async () => {}), true);
  reading.end();
  assert.ok((await Promise.all(running)).every(Boolean));
});
