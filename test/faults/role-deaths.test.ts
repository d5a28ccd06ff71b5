import { it } from 'node:test';
import { needs } from '../needs.ts';
import { seedOr } from '../seed.ts';
import { openTestDatabase } from '../servers/test-databases.ts';
import { Random } from '../simulation/random.ts';
import { feedUnderFire } from './feed-under-fire.ts';
import { startReborn } from './reborn.ts';

needs('postgres', 'server', 'time');

const SEED = seedOr(20_250_301);
/** How long it goes on at least. */
const MINUTES = Number(process.env.PLIMSOLL_TEST_MINUTES ?? 0.05);
const RUN = { seed: SEED, minutes: MINUTES };

it(`loses nothing when processes of single roles are killed on postgres (seed ${SEED})`, async (t) => {
  const roles = ['api,engine', 'api', 'engine', 'jobs'];
  const processes = await startReborn(t, roles, await openTestDatabase('postgres'));
  const random = new Random(SEED + 1);
  const strike = async (): Promise<string> => {
    const struck = random.pick(processes);
    await struck.die('SIGKILL');
    return `SIGKILL of ${struck.roles}`;
  };
  // As behind a proxy that knows two of them.
  const turns = new Random(SEED);
  const address = () => turns.pick(processes.slice(0, 2)).address;
  await feedUnderFire(t, { ...RUN, random, strike, address });
});
