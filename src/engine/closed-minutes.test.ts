import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ClosedMinutes } from './closed-minutes.ts';

const minuteOf = (minute: number) => ({
  ...{ lastTimeMs: minute * 60_000, lastBalance: 1, lastEquity: 2 },
  ...{ minBalance: 3, maxBalance: 4, minEquity: 5, maxEquity: 6 },
});

describe('closed minutes', () => {
  it('are of their account until they are stored, also while they are being written', () => {
    const minutes = new ClosedMinutes();
    for (const minute of [1, 2]) minutes.add(7, minuteOf(minute));
    minutes.add(8, minuteOf(2));
    minutes.add(7, minuteOf(3));
    const taken = minutes.take(2);
    assert.deepEqual(
      taken.map(({ accountNumber, minute }) => [accountNumber, minute.lastTimeMs / 60_000]),
      [
        [7, 1],
        [7, 2],
      ],
    );
    assert.deepEqual(minutes.of(7), [1, 2, 3].map(minuteOf));
    assert.deepEqual(minutes.of(8), [minuteOf(2)]);
    assert.equal(minutes.take().length, 2);
    assert.deepEqual([minutes.of(7), minutes.size], [[minuteOf(3)], 0]);
    assert.deepEqual([minutes.take(), minutes.of(7)], [[], []]);
  });

  it('of an account that is gone are never stored', () => {
    const minutes = new ClosedMinutes();
    for (const account of [7, 8, 7, 9]) minutes.add(account, minuteOf(account));
    minutes.drop(7);
    const left = [8, 9].map((accountNumber) => ({
      ...{ accountNumber, minute: minuteOf(accountNumber) },
    }));
    assert.deepEqual(minutes.take(), left);
  });
});
