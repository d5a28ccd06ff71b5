import assert from 'node:assert/strict';
import test from 'node:test';
import { bytesOfNumbers, NUMBERS_EACH, numbersOfBytes, splitAt } from './recent-snapshots.ts';

const snapshotsOf = (...times: number[]): Uint8Array =>
  bytesOfNumbers(Float64Array.from(times.flatMap((time) => [time, 1, 2, 3])));
const timesOf = (numbers: readonly number[]): number[] =>
  numbers.filter((_, index) => index % NUMBERS_EACH === 0);

const splitTimes = (times: number[], timeMs: number): [number[], number[]] => {
  const { before, after } = splitAt(snapshotsOf(...times), timeMs);
  return [timesOf([...numbersOfBytes(before)]), timesOf(after)];
};

test('an event has the snapshots up to its own moment, however late it is found', () => {
  assert.deepEqual(splitTimes([1, 2, 3], 3), [[1, 2, 3], []]);
  assert.deepEqual(splitTimes([1, 2, 2, 3, 4], 2), [
    [1, 2, 2],
    [3, 4],
  ]);
  // No snapshot is of that moment: it was found in stored hours, or is older than those kept.
  assert.deepEqual(splitTimes([1, 2, 4], 3), [[1, 2], []]);
  assert.deepEqual(splitTimes([5, 6], 3), [[], []]);
  // A late snapshot, or the hour that a clock shows twice.
  assert.deepEqual(splitTimes([7, 8, 3], 3), [[7, 8, 3], []]);
});
