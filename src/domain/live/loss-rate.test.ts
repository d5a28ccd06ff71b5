import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { HOUR_MS, MINUTE_MS } from '../broker-time.ts';
import { lossPerHour, lossStart } from './loss-rate.ts';

const HOUR = 100 * HOUR_MS;
const running = (minutes: number, equity: number) => ({
  ...{ hourStartMs: HOUR, hourStartBalance: 9500, hourStartEquity: 10_000 },
  lastTimeMs: HOUR + minutes * MINUTE_MS,
  ...{ balance: 9500, equity },
});
const before = { startTimeMs: HOUR - HOUR_MS, startBalance: 11_500, startEquity: 12_000 };

describe('the rate of loss', () => {
  it('is that of the running hour after a quarter of it', () => {
    const now = running(15, 9000);
    const start = lossStart(now, before);
    assert.deepEqual(start, { startTimeMs: HOUR, startBalance: 9500, startEquity: 10_000 });
    assert.equal(start && lossPerHour(now, start, 0), 4000);
  });

  it('begins with the previous hour in the first quarter, if there was one', () => {
    const now = running(10, 9000);
    const start = lossStart(now, before);
    assert.equal(start?.startTimeMs, before.startTimeMs);
    assert.equal(start && lossPerHour(now, start, 0), Math.round((3000 * 60) / 70));
    const earlier = { ...before, startTimeMs: HOUR - 2 * HOUR_MS };
    assert.equal(lossStart(now, earlier)?.startTimeMs, HOUR);
  });

  it('is unknown in the very first minute', () => {
    assert.equal(lossStart(running(0.5, 9000), undefined), undefined);
  });

  it('ignores withdrawals, and is 0 for a gain', () => {
    const now = running(30, 5000);
    const start = { startTimeMs: HOUR, startEquity: 10_000 };
    assert.equal(lossPerHour(now, start, -5000), 0);
    assert.equal(lossPerHour(now, start, -4000), 2000);
    assert.equal(lossPerHour(running(30, 11_000), start, 0), 0);
  });
});
