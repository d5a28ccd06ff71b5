import assert from 'node:assert/strict';
import { it } from 'node:test';
import { DatabaseUnavailable } from '../../src/storage/database.ts';
import { openPostgres } from '../../src/storage/drivers/postgres.ts';
import { feedUnderFire } from '../faults/feed-under-fire.ts';
import { startReborn } from '../faults/reborn.ts';
import { needs } from '../needs.ts';
import { seedOr } from '../seed.ts';
import { PostgresPair } from '../servers/postgres-pair.ts';
import { until } from '../servers/until.ts';
import { Random } from '../simulation/random.ts';

needs('postgres', 'server', 'time');

const SEED = seedOr(20_261_124);
/** How long it goes on at least; without it, each kind of fault strikes once. */
const MINUTES = Number(process.env.PLIMSOLL_TEST_MINUTES ?? 0);

it(`loses nothing when PostgreSQL's synchronous standby takes over (seed ${SEED})`, async (t) => {
  const pair = await PostgresPair.start();
  const environment = { DATABASE_URL: pair.url };
  const processes = await startReborn(t, ['all', 'all'], { environment, close: () => pair.stop() });
  const random = new Random(SEED);
  const harms = {
    failover: () => pair.failOver(),
    'failover while a process is paused': async () => {
      const resume = random.pick(processes).pause();
      await pair.failOver();
      resume();
    },
    'failover and SIGKILL of a process': async () => {
      const killed = random.pick(processes);
      await Promise.all([pair.failOver(), killed.stop()]);
      await killed.start();
    },
  };
  const kinds = Object.entries(harms);
  let turn = 0;
  const strike = async (): Promise<string> => {
    const [name, harm] = kinds[turn++ % kinds.length] ?? [];
    await harm?.();
    return name ?? '';
  };
  // As behind a proxy that knows both.
  const turns = new Random(SEED);
  const { unavailable } = await feedUnderFire(t, {
    ...{ seed: SEED, minutes: MINUTES, random, strike },
    address: () => turns.pick(processes).address,
    strikes: MINUTES > 0 ? Number.POSITIVE_INFINITY : kinds.length,
  });
  assert.ok(unavailable > 0, 'requests met a database that was away');
});

it('counts no commit as durable that did not wait for the standby', async (t) => {
  const pair = await PostgresPair.start();
  const database = openPostgres(pair.url);
  t.after(async () => {
    await database.close();
    await pair.stop();
  });
  await database.run('create table kept (id bigint)');
  await pair.loseStandby();
  const alone = assert.rejects(database.run('insert into kept values (1)'), DatabaseUnavailable);
  await until(async () => (await pair.cancelCommits()) > 0, 'a commit that waits');
  await alone;
  const together = assert.rejects(
    database.transaction((tx) => tx.run('insert into kept values (2)')),
    DatabaseUnavailable,
  );
  await until(async () => (await pair.cancelCommits()) > 0, 'a transaction that waits');
  await together;
});
