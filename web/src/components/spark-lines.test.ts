import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sparkLines } from './spark-lines.ts';

const at = (...hours: number[]) => hours.map((hoursAgo) => ({ value: 100 + hoursAgo, hoursAgo }));

describe('the small line', () => {
  it('breaks over more than six hours of silence', () => {
    assert.deepEqual(sparkLines(at(60, 59, 9, 3, 0)), [at(60, 59), at(9, 3, 0)]);
  });

  it('shows a point alone as a dot: the first hour of an account, or one between silences', () => {
    assert.deepEqual(sparkLines(at(0)), [at(0, 0)]);
    assert.deepEqual(sparkLines(at(60, 30, 1, 0)), [at(60, 60), at(30, 30), at(1, 0)]);
  });

  it('is none without points', () => {
    assert.deepEqual(sparkLines([]), []);
  });
});
