import assert from 'node:assert/strict';
import { test } from 'node:test';
import { byTrackerAndStart, FoldedFeed, toldOf } from './fold-feed.ts';
import { expectedOutcome } from './oracle.ts';
import { type SimulatedAccount, simulatedAccounts } from './simulated-accounts.ts';
import { simulateFeed } from './simulated-feed.ts';

const byTrackerAndTime = (
  a: { trackerId: string; timeMs: number; startTimeMs: number },
  b: { trackerId: string; timeMs: number; startTimeMs: number },
) =>
  a.trackerId < b.trackerId ? -1 : a.trackerId > b.trackerId ? 1 : a.startTimeMs - b.startTimeMs;

/** Quarters with the changes to and from summer time, in New York, in Europe and on Lord Howe. */
const QUARTERS = [
  { name: 'a spring quarter', startUtcMs: Date.UTC(2026, 1, 10, 9, 17), seed: 1 },
  { name: 'an autumn quarter', startUtcMs: Date.UTC(2026, 8, 15, 21, 5), seed: 2 },
];

/** As rules of programs may be; trackers of their own never are. */
const someJudgedAtEnd = (account: SimulatedAccount): SimulatedAccount => ({
  ...account,
  trackers: account.trackers.map((tracker, place) =>
    place % 3 === 0 ? { ...tracker, judgedAtEnd: true } : tracker,
  ),
});

for (const { name, startUtcMs, seed } of QUARTERS) {
  test(`the fold agrees with the definitions on every hour, minute, period and event of ${name}`, () => {
    const accounts = simulatedAccounts(seed, 12, 5, startUtcMs).map(someJudgedAtEnd);
    const batches = [
      ...simulateFeed({ seed, accounts, startUtcMs, days: 91, pace: 50, faults: 'deals' }),
    ];
    const feed = new FoldedFeed(accounts);
    for (const batch of batches) feed.fold(batch);
    let eventCount = 0;
    for (const account of accounts) {
      const expected = expectedOutcome(account, batches);
      const folded = feed.outcomeOf(account.id);
      assert.deepEqual(folded.buckets, expected.buckets);
      assert.deepEqual(folded.minutes, expected.minutes);
      assert.deepEqual(folded.statistics, expected.statistics.sort(byTrackerAndStart));
      assert.deepEqual(
        folded.events.sort(byTrackerAndTime).map(toldOf),
        expected.events.sort(byTrackerAndTime).map(toldOf),
      );
      eventCount += folded.events.length;
    }
    assert.ok(eventCount > 100, `only ${eventCount} events came up in the simulation`);
  });
}
