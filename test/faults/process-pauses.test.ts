import { it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { needs } from '../needs.ts';
import { seedOr } from '../seed.ts';
import { openTestDatabase } from '../servers/test-databases.ts';
import { Random } from '../simulation/random.ts';
import { cutConnections } from './cut-connections.ts';
import { feedUnderFire } from './feed-under-fire.ts';
import { startReborn } from './reborn.ts';

needs('postgres', 'server', 'time');

const SEED = seedOr(20_250_301);
/** How long it goes on at least. */
const MINUTES = Number(process.env.PLIMSOLL_TEST_MINUTES ?? 0.05);
const RUN = { seed: SEED, minutes: MINUTES };

it(`loses nothing when one of two processes on postgres is paused, and cut off meanwhile (seed ${SEED})`, async (t) => {
  const database = await openTestDatabase('postgres');
  const processes = await startReborn(t, ['all', 'all'], database);
  const random = new Random(SEED + 2);
  const strike = async (): Promise<string> => {
    const goOn = random.pick(processes).pause();
    try {
      const isLong = random.chance(0.5);
      // Longer than the patience of the other one, which takes over.
      await setTimeout(isLong ? random.between(4500, 10_000) : random.between(50, 2000));
      if (random.chance(0.5)) return isLong ? 'long pause' : 'pause';
      await cutConnections(database.environment.DATABASE_URL ?? '');
      return isLong ? 'long pause and cut' : 'pause and cut';
    } finally {
      goOn();
    }
  };
  const turns = new Random(SEED);
  const address = () => turns.pick(processes).address;
  await feedUnderFire(t, { ...RUN, random, strike, address });
});
