import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { needs } from '../needs.ts';
import { type PlimsollProcess, startPlimsoll } from '../servers/plimsoll-process.ts';
import { openTestDatabase, type TestDatabase } from '../servers/test-databases.ts';
import { Shift } from './shift.ts';
import { PLATFORMS, whyNoCompiler } from './terminal-build.ts';

needs('server', 'compiler', 'time');

const HOUR_SECONDS = 3_600;
/** Rows that an Expert Advisor sends at once. */
const MAX_BATCH = 500;
const MAX_ROWS = 20_000;

describe('an Expert Advisor whose server is away', { skip: whyNoCompiler }, () => {
  let database: TestDatabase;
  let server: PlimsollProcess;
  const start = () => startPlimsoll({ ...database.environment, LOG_LEVEL: 'warn' });
  before(async () => {
    database = await openTestDatabase('sqlite');
    server = await start();
  });
  after(async () => {
    await server?.stop();
    await database?.close();
  });

  for (const platform of PLATFORMS) {
    it(`${platform}: after an hour it catches up in bounded batches, one a timer`, async (t) => {
      const shift = await Shift.open(t, server.address, platform);
      const { desk, proxy } = shift;
      desk.transfer(1_000_000);
      await shift.look(5);
      await shift.look(86_400);
      await Promise.all([server.kill(), proxy.down()]);
      const positions = [desk.open(true, 100, 1.1), desk.open(false, 50, 1.1)];
      for (let second = 0; second < HOUR_SECONDS; second += 1) {
        if (second === 900) desk.transfer(-400_000);
        if (second === 1_800) desk.close(positions[0] ?? 0, { profit: -30_000 });
        await shift.look(1, -((second * 7) % 10_000) - (second === 2_500 ? 50_000 : 0));
      }
      server = await start();
      shift.follow(server.address);
      await proxy.up();
      shift.pass(60);
      const from = proxy.seen.length;
      for (let timers = 1; proxy.seen.length === from || waits(shift); timers += 1) {
        await shift.terminal.call('timer');
        assert.equal(proxy.seen.length, from + timers, 'one request a timer');
      }
      const sizes = proxy.seen.slice(from).map(({ rows }) => rows.length);
      assert.ok(Math.max(...sizes) <= MAX_BATCH, `batches of ${sizes}`);
      desk.close(positions[1] ?? 0, { profit: 100 });
      await shift.look(1, 0);
      await shift.verify();
      assert.equal((await shift.answers.breaches()).length, 1);
    });

    it(`${platform}: a full queue thins out old snapshots, but no deal and no extreme`, async (t) => {
      const shift = await Shift.open(t, server.address, platform);
      const { desk, proxy } = shift;
      desk.transfer(1_000_000);
      await shift.look(5);
      await shift.look(86_400);
      await proxy.down();
      let position = desk.open(true, 100, 1.1);
      for (let second = 0; second < MAX_ROWS + 6_000; second += 1) {
        if (second % 7 === 3) {
          desk.close(position, { profit: (second % 1_300) - 600 });
          position = desk.open(true, 100, 1.1);
        }
        if (second % 4_000 === 2_000) desk.transfer(second % 8_000 === 2_000 ? -200_000 : 150_000);
        await shift.look(1, -((second * 37) % 9_000) - (second === 3_333 ? 45_000 : 0));
      }
      assert.match(shift.terminal.log.join('\n'), /snapshots wait; the older ones are thinned out/);
      await shift.restart('killed');
      await proxy.up();
      await shift.look(1, 0);
      await shift.drain();
      const rows = proxy.seen.flatMap((request) => request.rows);
      assert.ok(rows.length > MAX_ROWS / 2 && rows.length <= MAX_ROWS + 2, `${rows.length} rows`);
      // The last row comes from the restart, which sends a week of deals again.
      const kept = rows.slice(0, -1).map((row) => JSON.parse(row) as { deals?: { id: string }[] });
      const ids = new Set(kept.flatMap(({ deals = [] }) => deals.map(({ id }) => id)));
      assert.ok(desk.rows.length > 3_000);
      for (const row of desk.rows) {
        const { ticket, type } = row;
        const id = platform === 'p4' && Number(type) < 2 ? `${ticket}-out` : `${ticket}`;
        assert.ok(ids.has(id), `deal ${id} is kept`);
      }
      await shift.answers.compareThinned(desk);
    });
  }
});

const waits = ({ terminal }: Shift): boolean => terminal.comment !== 'Plimsoll: sending';
