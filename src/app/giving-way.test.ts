import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { GivingWay } from './giving-way.ts';

/** A thread that stood in line for so many milliseconds before each look; how long it rests. */
function restsOf(waitsMs: readonly number[]): number[] {
  const rests: number[] = [];
  let inLineMs = 1000;
  const schedule = (): string => `123456 ${inLineMs * 1e6} 42\n`;
  const givingWay = new GivingWay(schedule, (ms) => rests.push(ms));
  for (const waitMs of waitsMs) {
    inLineMs += waitMs;
    givingWay.rest();
  }
  return rests;
}

describe('a thread in the background', () => {
  it('rests for as long as it waited for a processor', () => {
    assert.deepEqual(restsOf([7, 3.5, 20]), [7, 3.5, 20]);
  });

  it('does not rest where a processor was free', () => {
    assert.deepEqual(restsOf([0, 0]), []);
  });

  it('never rests for longer than 100 ms at a time', () => {
    assert.deepEqual(restsOf([10_000]), [100]);
  });

  it('never rests on a system that does not tell how long it waited', () => {
    const givingWay = new GivingWay(
      () => '',
      () => assert.fail(),
    );
    givingWay.rest();
  });
});
