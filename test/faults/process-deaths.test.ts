import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { needs, often } from '../needs.ts';
import { seedOr } from '../seed.ts';
import { openTestDatabase } from '../servers/test-databases.ts';
import { Random } from '../simulation/random.ts';
import { feedUnderFire } from './feed-under-fire.ts';
import { startReborn } from './reborn.ts';

needs('postgres', 'server');

const SEED = seedOr(20_250_301);
/** How long each fault goes on at least. */
const MINUTES = Number(process.env.PLIMSOLL_TEST_MINUTES ?? 0.05);
/** Each takes the time of a start. */
const STRIKES = MINUTES < 1 ? often(2, 4) : Number.POSITIVE_INFINITY;
const RUN = { seed: SEED, minutes: MINUTES, strikes: STRIKES };

describe(`deaths under load (seed ${SEED})`, () => {
  for (const kind of ['sqlite', 'postgres'] as const) {
    for (const how of ['SIGKILL', 'SIGTERM'] as const) {
      it(`loses nothing when all roles on ${kind} end by ${how}`, async (t) => {
        const [server] = await startReborn(t, ['all'], await openTestDatabase(kind));
        assert.ok(server);
        const strike = async (): Promise<string> => {
          await server.die(how);
          return `${how} of all roles`;
        };
        const random = new Random(SEED);
        await feedUnderFire(t, { ...RUN, random, strike, address: () => server.address });
      });
    }
  }
});
