import assert from 'node:assert/strict';
import { it } from 'node:test';
import { EnrolmentLoad } from '../faults/enrolment-load.ts';
import { needs, testedOn } from '../needs.ts';
import { seedOr } from '../seed.ts';
import { newUser, startOn } from '../servers/plimsoll-process.ts';

needs('postgres', 'server');

const SEED = seedOr(18);
/**
 * PLIMSOLL_TEST_ENROLMENTS=2000 PLIMSOLL_TEST_DAYS=91 PLIMSOLL_TEST_MINUTES=10 (in which it may
 * take longer) is the full run: a quarter of a desk. A larger pace makes it shorter; the rule book
 * is asked anew for each snapshot, so time grows with their square.
 */
const ENROLMENTS = Number(process.env.PLIMSOLL_TEST_ENROLMENTS ?? 40);
const DAYS = Number(process.env.PLIMSOLL_TEST_DAYS ?? 42);
const PACE_MINUTES = Number(process.env.PLIMSOLL_TEST_PACE_MINUTES ?? 240);
const KINDS = (process.env.PLIMSOLL_TEST_DATABASES ?? 'sqlite,postgres').split(',');
/**
 * Six weeks in which New York and Europe change their clocks; a quarter has Lord Howe's as well.
 */
const START_UTC_MS = Date.UTC(2025, 1, 20, 9, 17);
/** Programs of one user. */
const PER_USER = 200;

for (const kind of testedOn()) {
  const size = `${ENROLMENTS} enrolments over ${DAYS} days, seed ${SEED}`;
  const skip = !KINDS.includes(kind);
  it(`a server on ${kind} agrees with the rule books (${size})`, { skip }, async (t) => {
    const running = await startOn(kind, { LOG_LEVEL: 'warn' });
    t.after(() => running.close());
    const ends = new Map<string, number>();
    let sent = 0;
    let unavailable = 0;
    for (let first = 0; first < ENROLMENTS; first += PER_USER) {
      const enrolments = Math.min(PER_USER, ENROLMENTS - first);
      const client = await newUser(running.server.address);
      const seed = SEED + first / PER_USER;
      const load = new EnrolmentLoad(client, {
        ...{ seed, enrolments, startUtcMs: START_UTC_MS, days: DAYS, pace: PACE_MINUTES },
      });
      await load.setUp();
      sent += await load.run();
      unavailable += load.unavailable;
      for (const [word, count] of await load.verify())
        ends.set(word, (ends.get(word) ?? 0) + count);
      t.diagnostic(
        `${first + enrolments} enrolments, ${sent} snapshots, ${unavailable} × 503, ${told(ends)}`,
      );
    }
    for (const word of ['running', 'passed', 'failed dailyLoss', 'failed maximumLoss']) {
      assert.ok(ends.has(word), `none is ${word} among ${told(ends)}`);
    }
  });
}

const told = (ends: Map<string, number>): string =>
  [...ends].map(([word, count]) => `${count} ${word}`).join(', ');
