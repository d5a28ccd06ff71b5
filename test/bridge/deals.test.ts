import assert from 'node:assert/strict';
import { after, before, describe, it, type TestContext } from 'node:test';
import { needs } from '../needs.ts';
import { startOn, type TestServer } from '../servers/plimsoll-process.ts';
import { LOGIN, Shift } from './shift.ts';
import { PLATFORMS, type Platform, whyNoCompiler } from './terminal-build.ts';

needs('server', 'compiler');

/** The Expert Advisor's longest wait for the deal that explains a new balance. */
const MAX_WAIT_SECONDS = 10;
const HISTORY_DEALS = 1200;

describe('data sent by an Expert Advisor', { skip: whyNoCompiler }, () => {
  let running: TestServer;
  before(async () => {
    running = await startOn('sqlite', { LOG_LEVEL: 'warn' });
  });
  after(() => running?.close());

  const open = async (t: TestContext, platform: Platform): Promise<Shift> => {
    const shift = await Shift.open(t, running.server.address, platform);
    shift.desk.transfer(1_000_000, 'first deposit');
    await shift.look(5);
    return shift;
  };

  for (const platform of PLATFORMS) {
    it(`${platform}: trades, hours and events are those of the account`, async (t) => {
      const shift = await open(t, platform);
      const { desk } = shift;
      const position = desk.open(true, 100, 1.1);
      await shift.look(10, 4_000);
      const rest = desk.close(position, { profit: 8_000, volume: 40, price: 1.102 });
      await shift.look(60, 2_000);
      await shift.look(3_600, -3_000);
      const last = { profit: -6_000, price: 1.099, swap: -120, commission: -350 };
      desk.close(rest ?? position, last);
      await shift.look(30, 0);
      await shift.look(86_400, 0);
      desk.open(false, 200, 1.2);
      await shift.look(10, -49_000);
      await shift.look(10, -60_000);
      await shift.look(10, -10_000);
      await shift.verify();
      assert.equal((await shift.answers.breaches()).length, 1);
    });

    it(`${platform}: a withdrawal is no drawdown, and a deposit hides none`, async (t) => {
      const shift = await open(t, platform);
      const { desk } = shift;
      await shift.look(86_400);
      desk.open(true, 100, 1.1);
      desk.transfer(-300_000, 'withdrawal');
      await shift.look(10, -40_000);
      desk.credit(50_000);
      await shift.look(10, -40_000);
      await shift.verify();
      assert.deepEqual(await shift.answers.breaches(), []);
      assert.doesNotMatch(shift.terminal.log.join(), /differs/, 'every balance is explained');
      desk.transfer(500_000, 'deposit');
      await shift.look(10, -101_000);
      await shift.verify();
      assert.equal((await shift.answers.breaches()).length, 1);
    });

    it(`${platform}: waits for the deal of a balance that moved before it`, async (t) => {
      const shift = await open(t, platform);
      await shift.look(86_400);
      const { length } = shift.proxy.seen;
      shift.showsHistory = false;
      shift.desk.transfer(-300_000);
      shift.show();
      for (let second = 0; second < 4; second += 1) {
        await shift.timer(1);
      }
      assert.equal(shift.proxy.seen.length, length, 'nothing was sent without its deal');
      shift.showsHistory = true;
      await shift.look(1);
      await shift.verify();
    });

    it(`${platform}: leaves out a moment in which the balance changes`, async (t) => {
      const shift = await open(t, platform);
      const { desk, terminal, proxy } = shift;
      await shift.look(86_400);
      const { length } = proxy.seen;
      const before = desk.balance / 100;
      shift.showsHistory = false;
      desk.transfer(-300_000);
      shift.show();
      terminal.tell('state', { balance: before, nextBalance: before - 3000, equity: before });
      await terminal.call('timer');
      assert.equal(proxy.seen.length, length);
      shift.showsHistory = true;
      await shift.look(1);
      await shift.verify();
      assert.doesNotMatch(terminal.log.join(), /differs/);
    });

    it(`${platform}: does not wait for ever for a deal that never shows`, async (t) => {
      const shift = await open(t, platform);
      await shift.look(86_400);
      shift.desk.balance -= 100;
      for (let second = 0; second <= MAX_WAIT_SECONDS; second += 1) await shift.look(1);
      await shift.drain();
      assert.equal((await shift.answers.hours()).at(-1)?.lastBalance, 9999);
      assert.match(shift.terminal.log.join('\n'), /balance differs by -1 from what the deals/);
    });

    it(`${platform}: sends old deals that the terminal shows only later`, async (t) => {
      const shift = await Shift.open(t, running.server.address, platform);
      const { desk } = shift;
      desk.transfer(1_000_000);
      shift.pass(30 * 86_400);
      desk.close(desk.open(true, 10, 1.1), { profit: 500 });
      shift.pass(10 * 86_400);
      shift.showsHistory = false;
      await shift.restart('closed');
      for (let second = 0; second < MAX_WAIT_SECONDS + 2; second += 1) await shift.look(1);
      assert.ok(shift.proxy.seen.every(({ rows }) => !rows.join().includes('deals')));
      shift.showsHistory = true;
      await shift.look(1, 100);
      await shift.verify();
    });

    it(`${platform}: sends old deals that show only after a restart`, async (t) => {
      const shift = await Shift.open(t, running.server.address, platform);
      const { desk } = shift;
      desk.transfer(1_000_000);
      desk.close(desk.open(true, 10, 1.1), { profit: 500 });
      shift.pass(30 * 86_400);
      desk.transfer(200);
      const hidden = desk.rows.splice(0, desk.rows.length - 1);
      for (let second = 0; second < MAX_WAIT_SECONDS + 2; second += 1) await shift.look(1);
      await shift.drain();
      assert.equal((await shift.answers.trades()).length, 1);
      desk.rows.unshift(...hidden);
      await shift.restart('closed');
      await shift.look(5, 100);
      await shift.verify();
    });

    it(`${platform}: sends a history of any length before the first snapshots`, async (t) => {
      const shift = await Shift.open(t, running.server.address, platform);
      const { desk } = shift;
      desk.transfer(10_000_000);
      for (let index = 0; index < HISTORY_DEALS; index += 1) {
        desk.timeMs += 60_000;
        const position = desk.open(index % 3 > 0, 10, 1.1);
        desk.close(position, { profit: (index % 7) * 100 - 250, commission: -7 });
      }
      await shift.look(1);
      await shift.verify();
      const [most] = shift.proxy.seen
        .flatMap(({ rows }) => rows)
        .map((row) => (JSON.parse(row) as { deals?: unknown[] }).deals?.length ?? 0)
        .sort((a, b) => b - a);
      assert.ok(most && most <= 1000, `${most} deals in a row`);
    });

    it(`${platform}: texts arrive unchanged, control characters as blanks`, async (t) => {
      const shift = await open(t, platform);
      shift.desk.transfer(100, 'Ünïcödé "quoted" \\ 入金 €\u0007');
      await shift.look(5);
      await shift.verify();
      const comments = (await shift.answers.trades()).map(({ comment }) => comment);
      assert.deepEqual(comments, ['first deposit', 'Ünïcödé "quoted" \\ 入金 € ']);
    });

    it(`${platform}: a quiet account sends a row a minute, a closed market none`, async (t) => {
      const shift = await open(t, platform);
      const before = shift.proxy.seen.length;
      for (let second = 0; second < 180; second += 1) await shift.look(1);
      assert.equal(shift.proxy.seen.length, before + 3);
      for (let second = 0; second < 180; second += 1) {
        await shift.timer(1);
      }
      assert.equal(shift.proxy.seen.length, before + 3);
      await shift.look(1, 500);
      await shift.verify();
    });

    it(`${platform}: a withdrawal on a day without quotes has its own time`, async (t) => {
      const shift = await open(t, platform);
      await shift.look(86_400, -5_000);
      shift.isMarketOpen = false;
      shift.pass(30 * 3_600);
      shift.desk.transfer(-300_000);
      await shift.look(0);
      await shift.verify();
      shift.isMarketOpen = true;
      await shift.look(86_400, -4_000);
      await shift.verify();
      assert.deepEqual(await shift.answers.breaches(), []);
    });

    it(`${platform}: sends nothing of another login, and nothing while disconnected`, async (t) => {
      const shift = await open(t, platform);
      const before = shift.proxy.seen.length;
      shift.terminal.tell('state', { login: 42, equity: 77 });
      await shift.terminal.call('timer');
      assert.equal(shift.terminal.comment, 'Plimsoll: waiting for login 700001');
      shift.terminal.tell('state', { login: LOGIN, connected: 0 });
      await shift.terminal.call('timer');
      assert.equal(shift.proxy.seen.length, before);
      shift.terminal.tell('state', { connected: 1 });
      await shift.look(5, 100);
      await shift.verify();
    });
  }

  it('p5: every kind of deal makes its trade', async (t) => {
    const shift = await open(t, 'p5');
    const { desk } = shift;
    const scaled = desk.open(true, 100, 1.1, -350);
    await shift.look(60, 10);
    desk.add(scaled, 200, 1.103, -700);
    await shift.look(60, 20);
    desk.close(scaled, { profit: 20_000, price: 1.104, commission: -1_050 });
    const reversed = desk.open(true, 100, 1.1);
    await shift.look(60, 30);
    desk.reverse(reversed, 300, 1.105, 50_000);
    await shift.look(60, -40);
    desk.close(reversed, { profit: 20_000, price: 1.104, swap: -33 });
    const [long, short] = [desk.open(true, 100, 1.1), desk.open(false, 40, 1.102)];
    await shift.look(60, 0);
    desk.closeBy(long, short, 8_000);
    await shift.look(60, 50);
    desk.close(long, { profit: 6_000, price: 1.101 });
    await shift.look(60, 0);
    desk.charge(-1_500, 9, 'DEAL_TYPE_COMMISSION_MONTHLY');
    desk.charge(120, 12, 'DEAL_TYPE_INTEREST');
    desk.charge(75, 15, 'DEAL_TYPE_DIVIDEND');
    desk.charge(-10, 17, 'DEAL_TYPE_TAX');
    desk.charge(5, 19, 'DEAL_TYPE_SO_COMPENSATION');
    desk.charge(-1, 99, 'DEAL_TYPE_OTHER');
    await shift.look(60, 0);
    await shift.verify();
  });

  it('p4: tickets of all kinds make their pairs of deals, in any order', async (t) => {
    const shift = await open(t, 'p4');
    const { desk } = shift;
    const [long, short] = [desk.open(true, 100, 1.1), desk.open(false, 40, 1.102)];
    await shift.look(60, 0);
    const rest = desk.closeBy(long, short, 8_000) ?? 0;
    desk.cancelPending();
    await shift.look(60, 50);
    const half = desk.close(rest, { profit: 3_000, volume: 30, price: 1.101 }) ?? 0;
    await shift.look(60, 20);
    desk.close(half, { profit: 3_000, commission: -700, swap: -45 });
    await shift.look(60, 0);
    desk.rows.reverse();
    await shift.restart('closed');
    await shift.look(60, 0);
    await shift.verify();
  });
});
