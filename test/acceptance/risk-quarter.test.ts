import assert from 'node:assert/strict';
import { it } from 'node:test';
import { RiskLoad } from '../faults/risk-load.ts';
import { needs } from '../needs.ts';
import { seedOr } from '../seed.ts';
import { newUser, startOn } from '../servers/plimsoll-process.ts';

needs('postgres', 'server', 'time');

const SEED = seedOr(20_250_210);
/** PLIMSOLL_TEST_ACCOUNTS=10000 is the full run; a larger pace makes it shorter. */
const DEFAULT_ACCOUNTS = { sqlite: 40, postgres: 20 };
const PACE_MINUTES = Number(process.env.PLIMSOLL_TEST_PACE_MINUTES ?? 300);
const KINDS = (process.env.PLIMSOLL_TEST_DATABASES ?? 'sqlite,postgres').split(',');
/** A quarter in which New York, Europe and Lord Howe change their clocks. */
const START_UTC_MS = Date.UTC(2025, 1, 10, 9, 17);
const DAYS = 91;

for (const kind of ['sqlite', 'postgres'] as const) {
  const accounts = Number(process.env.PLIMSOLL_TEST_ACCOUNTS ?? DEFAULT_ACCOUNTS[kind]);
  const size = `${accounts} accounts × 3 trackers, a quarter, pace ${PACE_MINUTES}, seed ${SEED}`;
  const skip = !KINDS.includes(kind);
  it(`a server on ${kind} agrees with the definitions (${size})`, { skip }, async (t) => {
    const running = await startOn(kind, { LOG_LEVEL: 'warn' });
    t.after(() => running.close());
    const { address } = running.server;
    const { token = '' } = await newUser(address);
    const load = new RiskLoad({
      seed: SEED,
      accounts,
      startUtcMs: START_UTC_MS,
      days: DAYS,
      pace: PACE_MINUTES,
      address: () => address,
      token,
    });
    await load.setUp();
    await load.run();
    const { hours, periods, events } = await load.verify();
    const { unavailable, cut } = load.answers;
    t.diagnostic(`${load.sent} snapshots, ${hours} hours, ${periods} periods, ${events} events`);
    t.diagnostic(`${unavailable} × 503, as on a machine that is busy with other tests`);
    assert.ok(events > accounts, `${events} events`);
    assert.equal(cut, 0, 'no connection was cut');
  });
}
