import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { it } from 'node:test';
import { needs } from '../needs.ts';
import { seedOr } from '../seed.ts';
import { startPostgres } from '../servers/postgres-process.ts';
import { Random } from '../simulation/random.ts';
import { asAdmin, cutConnections, OTHERS } from './cut-connections.ts';
import { feedUnderFire } from './feed-under-fire.ts';
import { startReborn } from './reborn.ts';

needs('postgres', 'server');

const SEED = seedOr(20_250_303);
/** How long it goes on at least. */
const MINUTES = Number(process.env.PLIMSOLL_TEST_MINUTES ?? 0.1);
const DOWN_MS = { least: 1000, most: 4000 };

it(`loses nothing when postgres crashes, is stopped, and cuts connections (seed ${SEED})`, async (t) => {
  const postgres = await startPostgres();
  const environment = { DATABASE_URL: postgres.url };
  const close = () => postgres.stop();
  const [server] = await startReborn(t, ['all'], { environment, close });
  assert.ok(server);
  const random = new Random(SEED);
  const harms = {
    'connections cut': () => cutConnections(postgres.url),
    'crash of postgres': () => crash(postgres.url, random),
    'postgres stopped and started': async () => {
      await postgres.halt();
      const downMs = random.between(DOWN_MS.least, DOWN_MS.most);
      await new Promise((resolve) => setTimeout(resolve, downMs));
      await postgres.resume();
    },
  };
  const names = ['postgres stopped and started', 'connections cut', 'crash of postgres'] as const;
  let turn = 0;
  const strike = async (): Promise<string> => {
    const name = names[turn++ % names.length] ?? names[0];
    await harms[name]();
    return name;
  };
  const run = { seed: SEED, minutes: MINUTES, random, strike, address: () => server.address };
  const { unavailable, cut } = await feedUnderFire(t, run);
  assert.ok(unavailable > 0, 'requests met a database that is away');
  assert.equal(cut, 0, 'and were all answered');
});

/** Killed without ceremony, one backend takes the whole server down and into recovery. */
async function crash(url: string, random: Random): Promise<void> {
  await asAdmin(url, async (admin) => {
    const { rows } = await admin.query<{ pid: number }>(
      `select pid from pg_stat_activity where ${OTHERS} order by pid`,
    );
    // Of no pid that has ended meanwhile.
    if (rows.length > 0) spawnSync('kill', ['-KILL', String(random.pick(rows).pid)]);
  });
}
