import assert from 'node:assert/strict';
import { readdir, readFile, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import { needs } from '../needs.ts';
import { newAccount, startOn, type TestServer } from '../servers/plimsoll-process.ts';
import { ScriptedTerminal } from './scripted-terminal.ts';
import { Shift } from './shift.ts';
import { PLATFORMS, type Platform, whyNoCompiler } from './terminal-build.ts';

needs('server', 'compiler', 'time');

describe('an Expert Advisor whose terminal restarts', { skip: whyNoCompiler }, () => {
  let running: TestServer;
  before(async () => {
    running = await startOn('sqlite', { LOG_LEVEL: 'warn' });
  });
  after(() => running?.close());

  const open = async (t: TestContext, platform: Platform): Promise<Shift> => {
    const shift = await Shift.open(t, running.server.address, platform);
    shift.desk.transfer(1_000_000);
    await shift.look(5);
    await shift.look(86_400);
    return shift;
  };

  /** The server can't be reached, and 40 snapshots with a few deals come to wait. */
  const pileUp = async (shift: Shift): Promise<void> => {
    await shift.proxy.down();
    const position = shift.desk.open(true, 100, 1.1);
    for (let looks = 1; looks <= 40; looks += 1) await shift.look(2, -1_000 * looks);
    shift.desk.close(position, { profit: -40_000 });
    shift.desk.transfer(-300_000);
    await shift.look(2, 0);
  };

  for (const platform of PLATFORMS) {
    for (const how of ['closed', 'killed'] as const) {
      it(`${platform}: keeps waiting data when the terminal is ${how}`, async (t) => {
        const shift = await open(t, platform);
        await pileUp(shift);
        await shift.restart(how);
        assert.match(shift.terminal.log.join('\n'), /4\d snapshots of an earlier run wait/);
        await shift.proxy.up();
        await shift.look(2, 100);
        await shift.verify();
        assert.deepEqual(await filesOf(shift, '.queue'), []);
      });
    }

    it(`${platform}: deals made while the terminal was away come with the first snapshot`, async (t) => {
      const shift = await open(t, platform);
      const { desk } = shift;
      const position = desk.open(true, 100, 1.1);
      await shift.look(5, -500);
      await shift.terminal.kill();
      shift.pass(3_600);
      desk.close(position, { profit: -2_000 });
      shift.pass(86_400);
      desk.transfer(-400_000);
      await shift.restart('killed');
      await shift.look(60, 0);
      await shift.verify();
      assert.deepEqual(await shift.answers.breaches(), []);
    });

    it(`${platform}: a batch whose answer was lost in a crash is sent again unchanged`, async (t) => {
      const shift = await open(t, platform);
      const { seen, plan } = shift.proxy;
      plan.push({ answer: 503, headers: { 'retry-after': '60' } });
      for (let looks = 1; looks <= 9; looks += 1) await shift.look(2, -1_000 * looks);
      await shift.timer(60);
      plan.push('hold');
      const held = shift.proxy.held();
      const from = seen.length;
      const dying = shift.terminal.call('timer');
      await held;
      await Promise.all([assert.rejects(dying), shift.terminal.kill()]);
      await shift.restart('killed');
      await shift.look(2, -20_000);
      await shift.verify();
      const [lost, again] = seen.slice(from);
      assert.equal(lost?.rows.length, 8);
      assert.deepEqual([again?.key, again?.rows], [lost?.key, lost?.rows]);
    });

    it(`${platform}: a file whose end is missing costs the last snapshot at most`, async (t) => {
      const shift = await open(t, platform);
      await shift.proxy.down();
      for (let looks = 1; looks <= 5; looks += 1) await shift.look(2, -1_000 * looks);
      await shift.terminal.kill();
      const [name = ''] = await filesOf(shift, '.queue');
      const path = join(shift.folder, name);
      const text = await readFile(path, 'utf8');
      const rows = text.split('\n').filter((line) => line.startsWith('+'));
      assert.equal(rows.length, 5);
      await truncate(path, text.lastIndexOf('+') + 40);
      shift.desk.moments.splice(-1);
      await shift.proxy.up();
      await shift.restart('killed');
      await shift.look(2, -7_000);
      await shift.verify();
      assert.deepEqual(await filesOf(shift, '.refused'), []);
    });

    it(`${platform}: continues without a disk, and says so once`, async (t) => {
      const shift = await open(t, platform);
      shift.terminal.tell('state', { full: 1 });
      await shift.proxy.down();
      for (let looks = 1; looks <= 5; looks += 1) await shift.look(2, -1_000 * looks);
      const said = shift.terminal.log.filter((line) => line.includes('cannot write its files'));
      assert.equal(said.length, 1);
      await shift.proxy.up();
      await shift.verify();
    });

    it(`${platform}: after a start it sends a week of deals again, not all`, async (t) => {
      const shift = await open(t, platform);
      const { desk, proxy } = shift;
      for (let day = 0; day < 10; day += 1) {
        desk.transfer(1_000 + day);
        await shift.look(86_400);
      }
      await shift.restart('closed');
      const from = proxy.seen.length;
      await shift.look(10, 50);
      const row = proxy.seen[from]?.rows[0] ?? '{}';
      const ids = (JSON.parse(row) as { deals: { id: string }[] }).deals.map(({ id }) => id);
      assert.equal(ids.length, 8);
      await shift.verify();
    });

    it(`${platform}: another account of Plimsoll begins with the whole history`, async (t) => {
      const shift = await open(t, platform);
      await shift.look(86_400 * 20);
      shift.inputs.AccountId = await newAccount(shift.answers.client, { platform });
      await shift.restart('closed');
      const from = shift.proxy.seen.length;
      shift.proxy.plan.push({ answer: 404 });
      await shift.look(10);
      assert.match(shift.proxy.seen[from]?.rows[0] ?? '', /"deals":\[/);
      assert.match(shift.terminal.comment, /this token reaches no such account/);
    });

    it(`${platform}: starts once a terminal`, async (t) => {
      const shift = await open(t, platform);
      const second = await ScriptedTerminal.start(platform, shift.folder);
      t.after(() => second.close());
      second.tell('input', shift.inputs);
      assert.notEqual(await second.call('init'), 0);
      assert.match(second.log.join('\n'), /it runs on another chart already/);
      await second.call('deinit');
      await shift.look(5, 100);
      await shift.verify();
    });
  }
});

async function filesOf({ folder }: Shift, end: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name.endsWith(end));
}
