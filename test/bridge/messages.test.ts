import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { needs } from '../needs.ts';
import { newAccount, newUser, startOn, type TestServer } from '../servers/plimsoll-process.ts';
import type { Fault } from './fault-proxy.ts';
import { Shift } from './shift.ts';
import { PLATFORMS, whyNoCompiler } from './terminal-build.ts';

needs('server', 'compiler');

const INIT_PARAMETERS_INCORRECT = 2;

describe('messages of an Expert Advisor to its user', { skip: whyNoCompiler }, () => {
  let running: TestServer;
  before(async () => {
    running = await startOn('sqlite', { LOG_LEVEL: 'fatal' });
  });
  after(() => running?.close());

  for (const platform of PLATFORMS) {
    const answers: [Fault, RegExp][] = [
      [{ answer: 302 }, /redirects\. Set PlimsollUrl to the address where you end up/],
      [{ answer: 429 }, /too many requests \(429\)/],
      [{ answer: 503 }, /busy or its database is away \(503\)/],
      [{ answer: 500, body: 'no luck' }, /the server answered 500: no luck/],
      [{ answer: 415 }, /the server answered 415/],
      ['cutBefore', /no answer from .* \(error 5203\)\. With https, check the certificate/],
    ];

    it(`${platform}: names the cause of every answer, and once`, async (t) => {
      const shift = await Shift.open(t, running.server.address, platform);
      const { log } = shift.terminal;
      await shift.look(5);
      for (const [fault, words] of answers) {
        shift.proxy.plan.push(fault, fault);
        await shift.look(61, shift.desk.floating - 100);
        await shift.timer(61);
        assert.match(log.at(-1) ?? '', words);
        assert.match(shift.terminal.comment, words);
        assert.equal(log.filter((line) => words.test(line)).length, 1);
        await shift.drain();
        assert.equal(log.at(-1), 'Plimsoll: the server takes data again');
      }
    });

    it(`${platform}: distinguishes an unknown token from one without the right or the account`, async (t) => {
      const shift = await Shift.open(t, running.server.address, platform);
      const { inputs } = shift;
      const own = String(inputs.AuthToken);
      const reader = await newUser(running.server.address, { scopes: ['read'] });
      const other = await newUser(running.server.address);
      const cases: [string, RegExp][] = [
        ['plm_nonsense', /the token is not known \(401\)/],
        [reader.token ?? '', /needs the scope "ingest"/],
        [other.token ?? '', /this token reaches no such account \(404\)/],
      ];
      for (const [token, words] of cases) {
        inputs.AuthToken = token;
        await shift.restart('closed');
        await shift.look(5, 100);
        assert.match(shift.terminal.log.at(-1) ?? '', words);
      }
      inputs.AuthToken = own;
      await shift.restart('closed');
      await shift.look(5, 50);
      await shift.verify();
    });

    it(`${platform}: an address that is not allowed, wrong, closed or silent`, async (t) => {
      const shift = await Shift.open(t, running.server.address, platform);
      const silent = createServer().listen(0, '127.0.0.1');
      await new Promise((resolve) => silent.on('listening', resolve));
      t.after(() => silent.close());
      const { port } = silent.address() as { port: number };
      const cases: [string, string, RegExp][] = [
        [shift.proxy.address, 'http://else', /Allow WebRequest for listed URL" and add http/],
        ['http://nowhere', 'http://nowhere', /is no address\. Write PlimsollUrl like/],
        ['http://127.0.0.1:1', 'http://127', /cannot connect to .* Does the server run/],
        [`http://127.0.0.1:${port}`, 'http://127', /did not answer in 4 seconds/],
      ];
      for (const [url, allowed, words] of cases) {
        shift.inputs.PlimsollUrl = url;
        shift.allowed = allowed;
        await shift.restart('closed');
        shift.terminal.tell('state', { patience: 50 });
        await shift.look(5, 100);
        assert.match(shift.terminal.log.at(-1) ?? '', words);
      }
    });

    it(`${platform}: inputs that are missing or wrong keep it from starting`, async (t) => {
      const shift = await Shift.open(t, running.server.address, platform);
      const whole = { ...shift.inputs };
      const wrong = [
        { PlimsollUrl: 'plimsoll.example.com' },
        { PlimsollUrl: '' },
        { AuthToken: '' },
        { AccountId: '' },
        { Login: 0 },
      ];
      for (const input of wrong) {
        await shift.terminal.call('deinit');
        shift.terminal.tell('input', { ...whole, ...input });
        assert.equal(await shift.terminal.call('init'), INIT_PARAMETERS_INCORRECT);
        assert.match(shift.terminal.log.at(-1) ?? '', /set PlimsollUrl .* and Login first/);
      }
      shift.terminal.tell('input', { ...whole, PlimsollUrl: `${shift.proxy.address}//` });
      assert.equal(await shift.terminal.call('init'), 0);
      await shift.look(5, 100);
      await shift.verify();
    });
  }

  it('p4: an incomplete history is reported with a remedy', async (t) => {
    const id = await newAccount(await newUser(running.server.address), { platform: 'p4' });
    assert.ok(id);
    const shift = await Shift.open(t, running.server.address, 'p4');
    shift.desk.balance = 500_000;
    for (let looks = 0; looks < 12; looks += 1) await shift.look(1);
    const told = shift.terminal.log.filter((line) => line.includes('Choose "All History"'));
    assert.equal(told.length, 1);
    await shift.look(5, 100);
    await shift.verify();
  });
});
