import assert from 'node:assert/strict';
import { it } from 'node:test';
import { needs } from '../needs.ts';
import { newUser, startOn } from '../servers/plimsoll-process.ts';

needs('server');

type Body = Record<string, unknown>;

const ME = '/users/current';

it('a client of the hosted product has its own platform asked, never a simulated one', async (t) => {
  const secretKey = Buffer.alloc(32, 7).toString('base64');
  const { server, close } = await startOn('sqlite', {
    ...{ PLIMSOLL_COMPATIBILITY: 'hosted', PLIMSOLL_SECRET_KEY: secretKey },
  });
  t.after(close);
  const user = await newUser(server.address);
  const ask = async <T = Body>(method: string, path: string, body?: object, status = 200) => {
    const answer = await user.call<T>(method, `${ME}${path}`, body);
    assert.equal(answer.status, status, `${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const made = {
    ...{ name: 'Own', version: 5, type: 'managerApi', managerServer: '127.0.0.1:9' },
    brokerTimezone: 'Europe/Athens',
    ...{ managerLogin: 1000, managerPassword: 'secret' },
  };
  const { id } = await ask<{ id: string }>('POST', '/provisioning-profiles', made, 201);
  const { type, managerServer, managerLogin } = await ask(
    ...(['GET', `/provisioning-profiles/${id}`] as const),
  );
  assert.deepEqual(
    [type, managerServer, managerLogin],
    ['managerApi', 'https://127.0.0.1:9', '1000'],
  );
  await ask('GET', `/mt5/provisioning-profiles/${id}/groups`, undefined, 503);
  const openedBy = async (provisioningProfileId: string, login = '7'): Promise<unknown> => {
    const account = { name: 'Own', login, server: 'Broker', provisioningProfileId };
    const opened = await ask<{ id: string }>('POST', '/accounts', account, 201);
    const ours = { 'plimsoll-compatibility': 'none' };
    const read = await user.call<Body>('GET', `${ME}/accounts/${opened.id}`, undefined, ours);
    const { platform, currency, leverage, brokerClock } = read.body;
    return { platform, currency, leverage, brokerClock };
  };
  // Of a platform that does not answer, only the profile tells.
  assert.deepEqual(await openedBy(id), {
    ...{ platform: 'p5', currency: 'USD', leverage: 100 },
    brokerClock: { zone: 'Europe/Athens', shiftHours: 0 },
  });
  const p4 = { name: 'Simulated', version: 4, brokerTimezone: 'Europe/Athens' };
  const four = await ask<{ id: string }>('POST', '/provisioning-profiles', p4, 201);
  const euro = { name: 'Ann Lee', email: 'ann@example.com', group: 'demo-eur', leverage: 50 };
  const { login } = await ask(
    ...(['POST', `/mt4/provisioning-profiles/${four.id}/accounts`, euro, 201] as const),
  );
  assert.deepEqual(await openedBy(four.id, String(login)), {
    ...{ platform: 'p4', currency: 'EUR', leverage: 50 },
    brokerClock: { zone: 'America/New_York', shiftHours: 7 },
  });
});
