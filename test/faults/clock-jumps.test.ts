import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { DAY_MS } from '../../src/domain/broker-time.ts';
import { insertAuditEntry } from '../../src/storage/audit-store.ts';
import { findReceipt, insertReceipt } from '../../src/storage/receipt-store.ts';
import { lacks, needs, PROGRAMS } from '../needs.ts';
import { seedOr } from '../seed.ts';
import { startPlimsoll } from '../servers/plimsoll-process.ts';
import { openTestDatabase } from '../servers/test-databases.ts';
import { until } from '../servers/until.ts';
import { Random } from '../simulation/random.ts';
import { feedUnderFire } from './feed-under-fire.ts';

needs('postgres', 'server', 'faketime');

const SEED = seedOr(20_250_304);
/** How long it goes on at least. */
const MINUTES = Number(process.env.PLIMSOLL_TEST_MINUTES ?? 0.05);
/** Debian's package `faketime`: a clock that can be set while a program runs on it. */
const LIBRARY = PROGRAMS.faketime.find() ?? '';
const JUMPS_SECONDS = [3 * 86_400, -3600, 7200, -20 * 86_400, 400 * 86_400, -2, 0];
const TOLERANCE_MS = 30_000;

/** Settings of a server whose clock is off by what stands in the file. */
const onClock = (file: string) => ({
  ...{ LD_PRELOAD: LIBRARY, FAKETIME_TIMESTAMP_FILE: file, FAKETIME_NO_CACHE: '1' },
  ...{ FAKETIME_DONT_FAKE_MONOTONIC: '1', LOG_LEVEL: 'fatal' },
});

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
      ...onClock(clock),
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

it("removes nothing before its time by a clock that is ahead of the database's at the start", {
  skip: lacks('faketime'),
}, async () => {
  await using stack = new AsyncDisposableStack();
  const { database, environment, close } = await openTestDatabase('postgres');
  stack.defer(close);
  const folder = await mkdtemp(join(tmpdir(), 'plimsoll-clock-'));
  stack.defer(() => rm(folder, { recursive: true }));
  const clock = join(folder, 'clock');
  await writeFile(clock, `+${40 * 86_400}`);
  const days = { before: 20, today: 0 };
  for (const [name, ago] of Object.entries(days)) {
    const atMs = Date.now() - ago * DAY_MS;
    const subject = { tokenId: null, userId: null, accountId: null, details: {} };
    await insertAuditEntry(database, { ...subject, atMs, actor: 'operator', action: name });
    await insertReceipt(database, 'user', name, { bodyHash: 'hash', answer: '{}' }, atMs);
  }
  const { kill } = await startPlimsoll({
    ...environment,
    ...onClock(clock),
    PLIMSOLL_KEEP_DAYS: 'audit=10',
  });
  stack.defer(kill);
  const isNoted = (action: string) =>
    database.get('select 1 as noted from audit_entry where action = $1', [action]);
  await until(async () => !(await isNoted('before')));
  await until(async () => !(await findReceipt(database, 'user', 'before')));
  assert.ok(await isNoted('today'), 'audit');
  assert.ok(await findReceipt(database, 'user', 'today'), 'answer to a key');
});
