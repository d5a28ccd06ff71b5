import assert from 'node:assert/strict';
import { it } from 'node:test';
import { startReborn } from '../faults/reborn.ts';
import { RiskLoad } from '../faults/risk-load.ts';
import { needs } from '../needs.ts';
import { seedOr } from '../seed.ts';
import { newUser } from '../servers/plimsoll-process.ts';
import { openTestDatabase } from '../servers/test-databases.ts';
import { Random } from '../simulation/random.ts';

needs('postgres', 'server', 'time');

const SEED = seedOr(20_261_129);
/** On a busy machine, PLIMSOLL_TEST_MINUTES=20 gives the file the time for all of them. */
const ACCOUNTS = Number(process.env.PLIMSOLL_TEST_ACCOUNTS ?? 300);
/** Two days with two midnights, in which New York changes its clocks. */
const FEED = { startUtcMs: Date.UTC(2025, 2, 8, 12), days: 2, pace: 90 };
/** After these shares of the load, one process after the other is killed. */
const KILLS = [0.3, 0.6];

it(`two processes judge deals before, with, after and never (seed ${SEED})`, async (t) => {
  const database = await openTestDatabase('postgres');
  const { environment } = database;
  const close = () => database.close();
  const processes = await startReborn(t, ['all', 'all'], { environment, close });
  const random = new Random(SEED);
  const address = () => random.pick(processes).address;
  const { token = '' } = await newUser(address());
  const load = new RiskLoad({ ...FEED, seed: SEED, accounts: ACCOUNTS, address, token });
  await load.setUp();
  let killed = 0;
  let dying: Promise<void> = Promise.resolve();
  await load.run((share) => {
    if (share < (KILLS[killed] ?? Number.POSITIVE_INFINITY)) return;
    const victim = processes[killed];
    killed += 1;
    dying = dying.then(() => victim?.die('SIGKILL'));
  });
  await dying;
  const { hours, periods, events } = await load.settled();
  const told = await load.events();
  const revisions = told.filter(({ kind }) => kind === 'revision').length;
  assert.equal(killed, KILLS.length);
  assert.ok(events > 0);
  const { cut, refused, unavailable } = load.answers;
  t.diagnostic(
    `${load.sent} snapshots, ${hours} hours, ${periods} periods, ${events} events of which ` +
      `${revisions} revisions; ${cut} cut, ${refused} refused, ${unavailable} × 503`,
  );
});
