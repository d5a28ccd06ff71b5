import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { lacks, needs, PROGRAMS } from '../needs.ts';
import { startPlimsoll } from '../servers/plimsoll-process.ts';
import { openTestDatabase } from '../servers/test-databases.ts';
import { until } from '../servers/until.ts';
import { Random } from '../simulation/random.ts';
import { feedUnderFire } from './feed-under-fire.ts';

needs('postgres', 'server', 'faketime');

const SEED = Number(process.env.PLIMSOLL_TEST_SEED ?? 20_250_304);
/** How long it goes on at least. */
const MINUTES = Number(process.env.PLIMSOLL_TEST_MINUTES ?? 0.05);
/** Debian's package `faketime`: a clock that can be set while a program runs on it. */
const LIBRARY = PROGRAMS.faketime.find() ?? '';
const JUMPS_SECONDS = [3 * 86_400, -3600, 7200, -20 * 86_400, 400 * 86_400, -2, 0];
const TOLERANCE_MS = 30_000;

for (const kind of ['sqlite', 'postgres'] as const) {
  const skip = lacks('faketime');
  it(`loses nothing on ${kind} when the server's clock jumps (seed ${SEED})`, {
    skip,
  }, async (t) => {
    const stored = await openTestDatabase(kind);
    const folder = await mkdtemp(join(tmpdir(), 'plimsoll-clock-'));
    const clock = join(folder, 'clock');
    await writeFile(clock, '+0');
    const { address, kill } = await startPlimsoll({
      ...stored.environment,
      ...{ LD_PRELOAD: LIBRARY, FAKETIME_TIMESTAMP_FILE: clock, FAKETIME_NO_CACHE: '1' },
      ...{ FAKETIME_DONT_FAKE_MONOTONIC: '1', LOG_LEVEL: 'fatal' },
    });
    t.after(async () => {
      await kill();
      await stored.close();
      await rm(folder, { recursive: true });
    });
    /** By the header of an answer, which the server keeps for up to a second. */
    const isSet = async (seconds: number): Promise<boolean> => {
      const { headers } = await fetch(`${address}/health/live`);
      const shownMs = Date.parse(headers.get('date') ?? '');
      return Math.abs(shownMs - (Date.now() + seconds * 1000)) < TOLERANCE_MS;
    };
    let turn = 0;
    const strike = async (): Promise<string> => {
      const seconds = JUMPS_SECONDS[turn++ % JUMPS_SECONDS.length] ?? 0;
      await writeFile(clock, `${seconds >= 0 ? '+' : ''}${seconds}`);
      await until(() => isSet(seconds));
      return `clock set ${seconds} s off`;
    };
    const random = new Random(SEED);
    const run = { seed: SEED, minutes: MINUTES, random, strike, address: () => address };
    // A machine that is busy with other tests may answer 503 now and then.
    const { cut } = await feedUnderFire(t, run);
    assert.equal(cut, 0, 'no connection was cut');
  });
}
