import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import { needs } from '../needs.ts';
import { startOn, type TestServer } from '../servers/plimsoll-process.ts';
import { Random } from '../simulation/random.ts';
import type { Fault } from './fault-proxy.ts';
import { PATIENCE_MS, Shift } from './shift.ts';
import { PLATFORMS, type Platform, whyNoCompiler } from './terminal-build.ts';

needs('server', 'compiler', 'time');

const SEEDS = [1, 2, 3];
const STEPS = 150;

describe('an Expert Advisor with failing requests', { skip: whyNoCompiler }, () => {
  let running: TestServer;
  before(async () => {
    running = await startOn('sqlite', { LOG_LEVEL: 'warn' });
  });
  after(() => running?.close());

  /** An account with a deposit and a losing position, on the second day. */
  const open = async (t: TestContext, platform: Platform): Promise<Shift> => {
    const shift = await Shift.open(t, running.server.address, platform);
    shift.desk.transfer(1_000_000);
    await shift.look(5);
    shift.desk.open(true, 100, 1.1);
    await shift.look(86_400, -1_000);
    return shift;
  };

  const wayOf = ({ fault }: { fault: Fault }) => fault;

  for (const platform of PLATFORMS) {
    for (const status of [503, 429]) {
      it(`${platform}: after ${status} it waits as long as the server asks`, async (t) => {
        const shift = await open(t, platform);
        const { seen } = shift.proxy;
        shift.proxy.plan.push({ answer: status, headers: { 'Retry-After': ' 30' } });
        await shift.look(1, -2_000);
        const tries = seen.length;
        for (let second = 0; second < 29; second += 1) await shift.timer(1);
        assert.equal(seen.length, tries);
        await shift.timer(1);
        assert.equal(seen.length, tries + 1);
        await shift.verify();
      });
    }

    it(`${platform}: retries after 1, 2, 4 … at most 60 seconds`, async (t) => {
      const shift = await open(t, platform);
      const { seen, plan } = shift.proxy;
      plan.push(...Array.from({ length: 9 }, (): Fault => ({ answer: 500 })));
      await shift.look(1, -2_000);
      const pauses = [];
      for (let second = 0, since = 0; plan.length > 0; second += 1) {
        const tries = seen.length;
        await shift.timer(1);
        if (seen.length === tries) continue;
        pauses.push(second + 1 - since);
        since = second + 1;
      }
      assert.deepEqual(pauses, [1, 2, 4, 8, 16, 32, 60, 60]);
      await shift.verify();
    });

    it(`${platform}: sends the same rows under the same key after a lost answer`, async (t) => {
      const shift = await open(t, platform);
      const { seen, plan } = shift.proxy;
      const ways: Fault[] = ['cutAfter', 'cutBefore', 'cutAfter', { answer: 502 }];
      plan.push(...ways);
      const from = seen.length;
      for (let looks = 0; looks < 30; looks += 1) await shift.look(1, -2_000 - looks);
      await shift.verify();
      const tries = seen.slice(from, from + ways.length + 1);
      assert.deepEqual(tries.map(wayOf), [...ways, 'pass']);
      assert.equal(new Set(tries.map(({ key, rows }) => key + rows.join())).size, 1);
      assert.deepEqual(
        tries.map(({ status }) => status),
        [200, undefined, 200, undefined, 200],
      );
      const keys = seen.map(({ key }) => key);
      assert.equal(new Set(keys).size, keys.length - ways.length, 'each batch has its own key');
    });

    it(`${platform}: gives a slow answer up, and makes the batch smaller at last`, async (t) => {
      const shift = await open(t, platform);
      const { seen, plan } = shift.proxy;
      plan.push({ answer: 503, headers: { 'retry-after': '60' } });
      for (let looks = 0; looks < 9; looks += 1) await shift.look(1, -2_000 - looks);
      await shift.timer(60);
      const from = seen.length;
      plan.push('hold', 'hold', 'hold');
      shift.terminal.tell('state', { patience: 100 });
      for (let tries = 0; tries < 3; tries += 1) await shift.timer(61);
      shift.terminal.tell('state', { patience: PATIENCE_MS });
      await shift.verify();
      const sizes = seen.slice(from).map(({ rows }) => rows.length);
      assert.deepEqual(sizes, [8, 8, 8, 4, 4]);
    });

    it(`${platform}: makes batches smaller that are too large for a proxy in between`, async (t) => {
      const shift = await open(t, platform);
      const { seen, plan } = shift.proxy;
      plan.push({ answer: 503, headers: { 'retry-after': '60' } });
      for (let looks = 0; looks < 9; looks += 1) await shift.look(1, -2_000 - looks);
      await shift.timer(60);
      const from = seen.length;
      plan.push({ answer: 413 }, { answer: 413 });
      await shift.verify();
      const sizes = seen.slice(from).map(({ rows }) => rows.length);
      assert.deepEqual(sizes, [8, 4, 2, 6]);
    });

    it(`${platform}: trusts only Plimsoll that rows were accepted`, async (t) => {
      const shift = await open(t, platform);
      shift.proxy.plan.push({ answer: 200, body: '<html>Log in to the hotel</html>' });
      await shift.look(1, -2_000);
      assert.match(shift.terminal.log.at(-1) ?? '', /something other than Plimsoll answers/);
      await shift.verify();
    });

    it(`${platform}: sets a refused deal aside, and continues`, async (t) => {
      const shift = await open(t, platform);
      const { desk } = shift;
      const [good] = desk.openPositions;
      desk.transfer(100, 'before');
      const bad = desk.open(true, 100, Number.NaN);
      if (platform === 'p4') desk.close(bad, { profit: 0, price: 1.2 });
      desk.transfer(100, 'after');
      if (good !== undefined) desk.close(good, { profit: 100 });
      await shift.look(1, 0);
      if (platform === 'p4')
        desk.trades.splice(
          desk.trades.findIndex(({ id }) => id === `${bad}`),
          1,
        );
      await shift.drain();
      const refused = await refusedBy(shift);
      assert.match(refused, /"parameter":"\[0\]\.deals\[1\]\.price"/);
      assert.match(refused, /"price":null/);
      assert.match(shift.terminal.log.join('\n'), /the server refused some data; see the file/);
      const ids = (await shift.answers.trades()).map(({ _id }) => _id.replace(/.*\+/, ''));
      for (const { id } of desk.trades) assert.ok(ids.includes(id), `trade ${id}`);
    });

    it(`${platform}: a refused snapshot leaves its deals to the next one`, async (t) => {
      const shift = await open(t, platform);
      const { desk } = shift;
      desk.transfer(-200_000);
      shift.show();
      shift.terminal.tell('state', { equity: 1e13 });
      await shift.timer(1);
      await shift.look(1, -1_500);
      await shift.verify();
      assert.match(await refusedBy(shift), /\[0\].*is too large to be stored exactly/);
    });
  }

  for (const seed of SEEDS) {
    const platform = PLATFORMS[seed % 2] ?? 'p5';
    it(`${platform}: whatever happens, nothing is lost and nothing is twice, seed ${seed}`, async (t) => {
      const shift = await open(t, platform);
      const random = new Random(seed);
      for (let step = 0; step < STEPS; step += 1) await goOn(shift, random);
      shift.proxy.plan.length = 0;
      shift.terminal.tell('state', { patience: PATIENCE_MS });
      await shift.look(60, 0);
      await shift.verify();
      const { seen } = shift.proxy;
      const counts = [
        shift.desk.trades.length,
        (await shift.answers.breaches()).length,
        seen.length,
      ];
      t.diagnostic(`${counts[0]} trades, ${counts[1]} breaches, ${counts[2]} requests`);
    });
  }
});

async function refusedBy({ folder }: Shift): Promise<string> {
  const name = (await readdir(folder)).find((file) => file.endsWith('.refused'));
  return name === undefined ? '' : readFile(join(folder, name), 'utf8');
}

const FAULTS: readonly Fault[] = [
  { answer: 503, headers: { 'retry-after': '2' } },
  { answer: 500 },
  { answer: 200, body: 'OK' },
  'cutBefore',
  'cutAfter',
  'hold',
];

/** The desk trades, some requests fail, perhaps the terminal dies. */
async function goOn(shift: Shift, random: Random): Promise<void> {
  const { desk, proxy } = shift;
  const position = desk.openPositions.length > 0 ? random.pick(desk.openPositions) : undefined;
  if (random.chance(0.1)) desk.transfer(random.between(-50_000, 60_000));
  if (random.chance(0.2)) desk.open(random.chance(0.5), random.between(1, 100), 1.1, -5);
  else if (random.chance(0.3) && position) {
    desk.close(position, { profit: random.between(-20_000, 20_000), swap: random.between(-9, 9) });
  }
  if (random.chance(0.15)) proxy.plan.push(random.pick(FAULTS), random.pick(FAULTS));
  shift.terminal.tell('state', { patience: proxy.plan.includes('hold') ? 100 : PATIENCE_MS });
  if (random.chance(0.05)) await shift.restart(random.chance(0.5) ? 'killed' : 'closed');
  const seconds = random.chance(0.03) ? random.between(600, 40_000) : random.between(1, 90);
  await shift.look(seconds, random.between(-60_000, 30_000));
}
