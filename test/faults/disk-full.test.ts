import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { needs } from '../needs.ts';
import { seedOr } from '../seed.ts';
import { newUser, startPlimsoll } from '../servers/plimsoll-process.ts';
import { RiskLoad } from './risk-load.ts';

needs('server');

const SEED = seedOr(20_250_303);
const FEED = { startUtcMs: Date.UTC(2025, 2, 5), days: 6, pace: 60, accounts: 10 };

const mount = (...args: string[]): boolean => spawnSync('mount', args).status === 0;

it(`loses nothing when the disk of SQLite is full for a while (seed ${SEED})`, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'plimsoll-full-'));
  if (!mount('-t', 'tmpfs', '-o', 'size=3m', 'plimsoll-test', folder)) {
    await rm(folder, { recursive: true });
    t.skip('a small disk can be mounted by root only');
    return;
  }
  const server = await startPlimsoll({ PLIMSOLL_DATA: folder, LOG_LEVEL: 'fatal' });
  t.after(async () => {
    await server.kill();
    spawnSync('umount', [folder]);
    await rm(folder, { recursive: true });
  });
  const { token = '' } = await newUser(server.address);
  const load = new RiskLoad({ ...FEED, seed: SEED, address: () => server.address, token });
  let isEnlarged = false;
  const watch = setInterval(() => {
    if (isEnlarged || load.answers.unavailable < 20) return;
    isEnlarged = mount('-o', 'remount,size=256m', folder);
  }, 20);
  t.after(() => clearInterval(watch));
  await load.setUp();
  await load.run();
  const { events } = await load.settled();
  const { unavailable } = load.answers;
  t.diagnostic(`${load.sent} snapshots, ${unavailable} × 503, ${events} events`);
  assert.ok(isEnlarged && unavailable >= 20, 'the disk was full');
  assert.equal(load.answers.cut, 0, 'the server did not die of it');
});
