import assert from 'node:assert/strict';
import { it } from 'node:test';
import { needs } from '../needs.ts';
import { ADMIN_TOKEN, Client, newAccount, newUser, startOn } from '../servers/plimsoll-process.ts';
import { startSmtpServer } from '../servers/smtp-server-process.ts';

needs('server');

const PATH = '/users/current/event-mail';

it('a broken limit is mailed to users who enabled that, and to no other', async (t) => {
  const smtp = await startSmtpServer();
  const running = await startOn('sqlite', {
    ...{ SMTP_URL: `smtp://127.0.0.1:${smtp.port}`, LOG_LEVEL: 'warn' },
  });
  t.after(async () => {
    await running.close();
    await smtp.stop();
  });
  const { address } = running.server;
  const [user, other] = [await newUser(address), await newUser(address)];
  assert.deepEqual((await user.get(PATH)).body, { breaches: 'off', warnings: 'off' });
  const choice = { breaches: 'immediate', warnings: 'digest' };
  assert.equal((await user.call('PUT', PATH, choice)).status, 204);
  assert.deepEqual((await user.get(PATH)).body, choice);
  assert.equal((await user.call('PUT', PATH, { breaches: 'immediate' })).status, 204);
  assert.deepEqual((await user.get(PATH)).body, choice, 'what is absent stays as it is');
  assert.equal((await user.call('PUT', PATH, {})).status, 400);
  for (const client of [other, user]) {
    const accountId = await newAccount(client, { name: 'Harbour' });
    const tracker = { name: 'loss', period: 'date', absoluteDrawdownThreshold: 500 };
    await client.post(`/users/current/accounts/${accountId}/trackers`, tracker);
    const row = { accountId, balance: 10_000 };
    const sent = await client.post('/users/current/snapshots', [
      { ...row, brokerTime: '2026-03-02 10:00:00', equity: 10_000 },
      { ...row, brokerTime: '2026-03-02 10:01:00', equity: 9400 },
    ]);
    assert.equal(sent.status, 200, JSON.stringify(sent.body));
  }
  await smtp.received(1);
  const [mail, ...others] = smtp.mails();
  assert.deepEqual(others, []);
  assert.match(mail?.source ?? '', /Subject: Limit broken: Harbour/);
  assert.match(mail?.source ?? '', /600 lost of 500 allowed/);
  const operator = new Client(address, ADMIN_TOKEN);
  const audit = `/admin/audit?userId=${user.userId}&action=event-mail.changed`;
  assert.equal((await operator.get<unknown[]>(audit)).body.length, 1);
  assert.equal((await user.call('PUT', PATH, { breaches: 'hourly' })).status, 400);
});
