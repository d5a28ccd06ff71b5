import assert from 'node:assert/strict';
import { test } from 'node:test';
import { at, LiveDesk, usd } from '../../../test/simulation/live-desk.ts';
import { noteSilence } from './feed-silence.ts';
import { foldSnapshot } from './fold-snapshot.ts';

const RECEIVED_MS = Date.UTC(2026, 2, 2, 8);

/** Snapshots, received at seconds from then on. */
function feed() {
  const desk = new LiveDesk([]);
  const { account, effects } = desk;
  const see = (time: string, equity: number, second: number) => {
    const [held, worth] = [usd(10_000), usd(equity)];
    const receivedMs = RECEIVED_MS + 1000 * second;
    return foldSnapshot(account, at(time), held, worth, [], receivedMs, effects);
  };
  return { account, effects, see };
}

test('a silence is noted once, and lasts from receipt to receipt', () => {
  const { account, effects, see } = feed();
  see('2026-03-02 10:00', 10_000, 0);
  noteSilence(account, { freshUtcMs: RECEIVED_MS - 1 }, effects);
  assert.deepEqual(effects.feedChanges, []);
  noteSilence(account, { freshUtcMs: RECEIVED_MS }, effects);
  noteSilence(account, { freshUtcMs: RECEIVED_MS }, effects);
  const ofAll = { accountId: account.id, sinceUtcMs: RECEIVED_MS };
  const silence = { ...ofAll, feed: 'silence', timeMs: at('2026-03-02 10:00') };
  assert.deepEqual(effects.feedChanges, [silence]);
  // The account still shows its earlier figures.
  see('2026-03-02 09:59', 9990, 70);
  assert.equal(effects.feedChanges.length, 1);
  see('2026-03-02 10:02', 9990, 80);
  see('2026-03-02 10:03', 9990, 81);
  assert.deepEqual(effects.feedChanges, [
    silence,
    { ...ofAll, feed: 'return', timeMs: at('2026-03-02 10:02'), silentMs: 80_000 },
  ]);
});

test('a repeated snapshot shows that the feed lives', () => {
  const { account, effects, see } = feed();
  see('2026-03-02 10:00', 10_000, 0);
  noteSilence(account, { freshUtcMs: RECEIVED_MS }, effects);
  assert.equal(see('2026-03-02 10:00', 10_000, 50), 'duplicate');
  assert.deepEqual(
    effects.feedChanges.map(({ feed: what, silentMs }) => [what, silentMs]),
    [
      ['silence', undefined],
      ['return', 50_000],
    ],
  );
  assert.equal(account.freshUtcMs, RECEIVED_MS + 50_000);
});

test('an account that was never read has been silent since it was created, with the reason', () => {
  const { account, effects, see } = feed();
  noteSilence(account, { freshUtcMs: RECEIVED_MS, reason: 'no answer' }, effects);
  see('2026-03-02 10:01', 10_000, 60);
  const ofAll = { accountId: account.id, sinceUtcMs: RECEIVED_MS };
  assert.deepEqual(effects.feedChanges, [
    { ...ofAll, feed: 'silence', timeMs: at('2026-03-02 10:00'), reason: 'no answer' },
    { ...ofAll, feed: 'return', timeMs: at('2026-03-02 10:01'), silentMs: 60_000 },
  ]);
});
