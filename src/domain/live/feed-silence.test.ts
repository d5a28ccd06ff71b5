import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LiveDesk } from '../../../test/simulation/live-desk.ts';
import { noteSilence } from './feed-silence.ts';

test('a silence is noted once, and ends with the next newer snapshot', () => {
  const desk = new LiveDesk([]);
  const { account, effects } = desk;
  desk.see('2026-03-02 10:00', 10_000, 10_000);
  const lastUtcMs = account.lastUtcMs;
  noteSilence(account, lastUtcMs - 1, effects);
  assert.deepEqual(effects.feedChanges, []);
  noteSilence(account, lastUtcMs, effects);
  noteSilence(account, lastUtcMs, effects);
  const silence = {
    ...{ accountId: account.id, feed: 'silence', sinceUtcMs: lastUtcMs },
    timeMs: account.lastTimeMs,
  };
  assert.deepEqual(effects.feedChanges, [silence]);
  desk.see('2026-03-02 09:59', 10_000, 9990);
  desk.see('2026-03-02 10:00', 10_000, 9990);
  assert.equal(effects.feedChanges.length, 1);
  desk.see('2026-03-02 10:02', 10_000, 9990);
  desk.see('2026-03-02 10:03', 10_000, 9990);
  assert.deepEqual(effects.feedChanges, [
    silence,
    { ...silence, feed: 'return', timeMs: Date.UTC(2026, 2, 2, 10, 2), silentMs: 120_000 },
  ]);
});
