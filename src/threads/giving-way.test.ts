import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { GivingWay } from './giving-way.ts';

/** A thread's work between two readings, in milliseconds. */
type Stretch = { worked: number; inLine?: number; database?: number };

/** How long a thread rests after each stretch. */
function restsAfter(stretches: readonly Stretch[], isTold = true): number[] {
  const rests: number[] = [];
  const sum = { workedMs: 500, inLineMs: 1000, nowMs: 70_000 };
  const givingWay = new GivingWay({
    readSchedule: () => (isTold ? `${sum.workedMs * 1e6} ${sum.inLineMs * 1e6} 42\n` : '0 0'),
    nowMs: () => sum.nowMs,
    hold: (ms) => rests.push(ms),
  });
  for (const { worked, inLine = 0, database = 0 } of stretches) {
    sum.workedMs += worked;
    sum.inLineMs += inLine;
    sum.nowMs += worked + inLine + database;
    givingWay.rest();
  }
  return rests;
}

describe('a thread in the background', () => {
  it('rests for as long as it waited, if it waited for a processor', () => {
    const rests = restsAfter([
      { worked: 2, inLine: 7, database: 30 },
      { worked: 2, inLine: 1 },
    ]);
    assert.deepEqual(rests, [37, 1]);
  });

  it('does not rest if a processor was free, however slow the database is', () => {
    assert.deepEqual(
      restsAfter([
        { worked: 2, database: 30 },
        { worked: 4, inLine: 1 },
      ]),
      [],
    );
  });

  it('never rests for longer than 100 ms at a time', () => {
    assert.deepEqual(restsAfter([{ worked: 2, inLine: 3000 }]), [100]);
  });

  it('never rests on a system that does not report waiting times', () => {
    assert.deepEqual(restsAfter([{ worked: 2, inLine: 30 }], false), []);
  });
});
