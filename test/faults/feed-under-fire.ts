import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { newUser } from '../servers/plimsoll-process.ts';
import type { Random } from '../simulation/random.ts';
import { RiskLoad } from './risk-load.ts';

const MAX_ACCOUNTS = 150;
/** New York's clock changes; no hour comes twice, so that keyless requests may be sent again. */
const FEED = { startUtcMs: Date.UTC(2025, 2, 5), days: 8, pace: 60 };
/** Requests that are acknowledged between two strikes at most: as many on a slow machine. */
const MAX_BREATH = 40;
const LOOK_MS = 20;
/** Feeds of one run have seeds that far from each other. */
const SEEDS_A_FEED = 1000;

export type Fire = {
  seed: number;
  minutes: number;
  random: Random;
  address: () => string;
  /** Does harm once, and returns what it hit. */
  strike: () => Promise<string>;
  /** How often at most; without it, as long as the load goes on. */
  strikes?: number;
  /** Not while accounts and trackers are created: few strikes would hit snapshots. */
  sparesSetUp?: boolean;
};

/** How often a fault struck, and the longest that a request waited for success meanwhile. */
type Hit = { count: number; longestMs: number };

type Counts = { snapshots: number; hours: number; periods: number; events: number };

/**
 * Feeds one user's accounts after another's while `strike` is called again and again, and compares
 * all that can be read back after each feed; at the end once more of all feeds.
 */
export async function feedUnderFire(t: TestContext, fire: Fire) {
  const { seed, minutes, address } = fire;
  const accounts = Math.min(MAX_ACCOUNTS, Math.max(15, Math.round(minutes * 75)));
  const endMs = Date.now() + minutes * 60_000;
  const hits = new Map<string, Hit>();
  const sums: Counts = { snapshots: 0, hours: 0, periods: 0, events: 0 };
  const loads: RiskLoad[] = [];
  try {
    do {
      const { token = '' } = await newUser(address());
      const load = new RiskLoad({
        ...FEED,
        accounts,
        seed: seed + loads.length * SEEDS_A_FEED,
        prefix: `feed-${loads.length}`,
        previousSequenceNumber: sums.events,
        address,
        token,
      });
      loads.push(load);
      await shoot(load, fire, hits);
      const { hours, periods, events } = await load.settled();
      sums.snapshots += load.sent;
      sums.hours += hours;
      sums.periods += periods;
      sums.events += events;
    } while (Date.now() < endMs || hits.size === 0);
    if (loads.length > 1) for (const load of loads) await load.settled();
  } finally {
    for (const [what, { count, longestMs }] of hits) {
      t.diagnostic(`${count} × ${what}: the longest wait ${(longestMs / 1000).toFixed(1)} s`);
    }
    t.diagnostic(`${loads.length} feeds of ${accounts} accounts: ${textOf(sums)}`);
    t.diagnostic(textOf(answersOf(loads)));
  }
  assert.ok(sums.events > 0, textOf(sums));
  return answersOf(loads);
}

async function feed(load: RiskLoad): Promise<void> {
  await load.setUp();
  await load.run();
}

/** Feeds while it strikes; the first of both that fails ends the other. */
async function shoot(load: RiskLoad, fire: Fire, hits: Map<string, Hit>): Promise<void> {
  let isFed = false;
  let last: string | undefined;
  /** The wait caused by a fault may end long after it. */
  const noteWait = (): void => {
    const longestMs = load.takeLongestMs();
    const hit = hits.get(last ?? '');
    if (hit) hit.longestMs = Math.max(hit.longestMs, longestMs);
  };
  const strikeOn = async (): Promise<void> => {
    while (!isFed && fire.sparesSetUp && load.sent === 0) await sleep(LOOK_MS);
    while (!isFed && sumOf(hits) < (fire.strikes ?? Number.POSITIVE_INFINITY)) {
      const breath = load.answers.success + fire.random.between(0, MAX_BREATH);
      while (!isFed && load.answers.success < breath) await sleep(LOOK_MS);
      await sleep(fire.random.between(0, 100));
      if (isFed) break;
      noteWait();
      last = await fire.strike();
      hits.set(last, { longestMs: 0, ...hits.get(last), count: (hits.get(last)?.count ?? 0) + 1 });
    }
  };
  const striking = strikeOn().catch((error: unknown) => {
    load.abandon();
    throw error;
  });
  const running = feed(load).finally(() => {
    isFed = true;
  });
  const [struck, ran] = await Promise.allSettled([striking, running]);
  noteWait();
  // A failed strike is the reason of the load's failure.
  for (const one of [struck, ran]) if (one.status === 'rejected') throw one.reason;
}

const sumOf = (hits: Map<string, Hit>): number =>
  [...hits.values()].reduce((sum, { count }) => sum + count, 0);

const answersOf = (loads: readonly RiskLoad[]) => ({
  acknowledged: loads.reduce((sum, { answers }) => sum + answers.success, 0),
  unavailable: loads.reduce((sum, { answers }) => sum + answers.unavailable, 0),
  refused: loads.reduce((sum, { answers }) => sum + answers.refused, 0),
  cut: loads.reduce((sum, { answers }) => sum + answers.cut, 0),
});

const textOf = (counts: Record<string, number>): string =>
  Object.entries(counts)
    .map(([what, count]) => `${count} ${what}`)
    .join(', ');
