import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { HistoryUpdates } from './history-updates.ts';

/** A reading that ends when the test says so. */
function pending(): { promise: Promise<void>; end: () => void; fail: (error: Error) => void } {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  return { promise, end: () => resolve(), fail: reject };
}
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('a reading that is quick is waited for, and the next request starts another', async () => {
  const updates = new HistoryUpdates();
  let readings = 0;
  const read = async (): Promise<void> => {
    readings += 1;
  };
  assert.equal(await updates.update('a', read), true);
  assert.equal(await updates.update('a', read), true);
  assert.equal(readings, 2);
});

test('a client that was told to come back finds the outcome of the same reading', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const updates = new HistoryUpdates();
  const reading = pending();
  const read = mock.fn(() => reading.promise);
  const first = updates.update('a', read);
  await settle();
  t.mock.timers.tick(2_000);
  assert.equal(await first, false);
  reading.end();
  await settle();
  assert.equal(await updates.update('a', read), true);
  assert.equal(read.mock.callCount(), 1);
  assert.equal(await updates.update('a', async () => {}), true);
});

test('requests for one account at once share one reading, others have their own', async () => {
  const updates = new HistoryUpdates();
  const reading = pending();
  const read = mock.fn(() => reading.promise);
  const other = mock.fn(async () => {});
  const both = Promise.all([updates.update('a', read), updates.update('a', read)]);
  assert.equal(await updates.update('b', other), true);
  reading.end();
  assert.deepEqual(await both, [true, true]);
  assert.equal(read.mock.callCount(), 1);
});

test('a failed reading is told to those who wait and tried again by the next', async () => {
  const updates = new HistoryUpdates();
  const reading = pending();
  const waiting = updates.update('a', () => reading.promise);
  reading.fail(new Error('the platform is away'));
  await assert.rejects(waiting, /away/);
  assert.equal(await updates.update('a', async () => {}), true);
});
