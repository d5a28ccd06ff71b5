import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { needs } from '../needs.ts';
import { startOn, type TestServer } from '../servers/plimsoll-process.ts';
import { Shift } from './shift.ts';
import { PLATFORMS, whyNoCompiler } from './terminal-build.ts';

needs('server', 'compiler', 'time');

describe("an Expert Advisor during changes of the broker's clock", { skip: whyNoCompiler }, () => {
  let running: TestServer;
  before(async () => {
    running = await startOn('sqlite', { LOG_LEVEL: 'warn' });
  });
  after(() => running?.close());

  for (const platform of PLATFORMS) {
    it(`${platform}: the repeated hour has both passes`, async (t) => {
      const startTime = '2025-10-25 12:00:00';
      const address = running.server.address;
      const shift = await Shift.open(t, address, platform, { startTime, offsetHours: 3 });
      const { desk, proxy } = shift;
      desk.transfer(1_000_000);
      await shift.look(5);
      await shift.look(15 * 3_600 - 5);
      for (let pass = 1; pass <= 2; pass += 1) {
        await shift.look(5);
        for (let minutes = 0; minutes < 56; minutes += 4) {
          const position = desk.open(true, 10, 1.1);
          await shift.look(120, -1_000 * minutes * pass);
          desk.close(position, { profit: minutes * 10 - 100 });
          if (minutes % 20 === 0) proxy.plan.push('cutAfter');
          if (minutes === 24) desk.transfer(-100_000);
          await shift.look(110, -900 * minutes * pass);
          await shift.look(10);
        }
        shift.pass(235);
        if (pass === 1) desk.changeClock(-1);
      }
      await shift.look(60, 0);
      await shift.verify();
      assert.equal(desk.trades.length, 31);
    });

    it(`${platform}: the skipped hour stays empty`, async (t) => {
      const startTime = '2026-03-28 12:00:00';
      const shift = await Shift.open(t, running.server.address, platform, { startTime });
      const { desk, proxy } = shift;
      desk.transfer(1_000_000);
      await shift.look(5);
      await shift.look(14 * 3_600 + 50 * 60);
      const position = desk.open(true, 10, 1.1);
      await shift.look(590, -5_000);
      proxy.plan.push('cutAfter', 'cutBefore');
      desk.changeClock(1);
      await shift.look(20, -30_000);
      desk.close(position, { profit: -20_000 });
      await shift.look(20, 0);
      await shift.verify();
      const hours = (await shift.answers.hours()).map(({ startBrokerTime }) =>
        startBrokerTime.slice(11, 13),
      );
      assert.deepEqual(hours, ['10', '12', '02', '04'].slice(hours.length === 3 ? 1 : 0));
    });

    it(`${platform}: a broker that follows New York changes on other days`, async (t) => {
      const options = {
        startTime: '2025-11-01 23:00:00',
        offsetHours: 3,
        brokerClock: { zone: 'America/New_York', shiftHours: 7 },
      };
      const shift = await Shift.open(t, running.server.address, platform, options);
      const { desk } = shift;
      desk.transfer(1_000_000);
      await shift.look(5);
      await shift.look(8 * 3_600 + 55 * 60 - 5, -500);
      for (let minutes = 0; minutes < 64; minutes += 4) await shift.look(240, -700 * minutes);
      shift.pass(60);
      desk.changeClock(-1);
      for (let minutes = 0; minutes < 64; minutes += 4) await shift.look(240, -600 * minutes);
      await shift.verify();
    });
  }
});
