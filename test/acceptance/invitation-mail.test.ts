import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { needs, often } from '../needs.ts';
import { sessionOf } from '../servers/browser-session.ts';
import { freePort } from '../servers/free-ports.ts';
import { newUser, startOn, type TestServer } from '../servers/plimsoll-process.ts';
import {
  headerOf,
  type SmtpServerProcess,
  startSmtpServer,
} from '../servers/smtp-server-process.ts';
import { until } from '../servers/until.ts';

needs('postgres', 'server');

const PEOPLE = '/users/current/people';
const OWNER = { scopes: ['read', 'write', 'ingest', 'actions'] };
type Invitation = { id: string; code: string; isMailed: boolean };
const KINDS = (['postgres', 'sqlite'] as const).slice(0, often(1, 2));

for (const kind of KINDS) {
  describe(`invitations by mail on ${kind}`, () => {
    let smtp: SmtpServerProcess;
    let running: TestServer;
    before(async () => {
      smtp = await startSmtpServer({ port: await freePort() });
      running = await startOn(kind, {
        ...{ SMTP_URL: `smtp://127.0.0.1:${smtp.port}`, MAIL_FROM: 'desk@example.com' },
        PLIMSOLL_PUBLIC_URL: 'https://desk.example.com/',
      });
    });
    after(async () => {
      await running.close();
      await smtp.stop();
    });

    it('bring the link that signs in, a few times a day at most', async () => {
      const user = await newUser(running.server.address, OWNER);
      const fields = { name: 'Anna <b>', email: 'anna@example.com', role: 'viewer' };
      const { status, body } = await user.post<Invitation>(PEOPLE, fields);
      assert.deepEqual([status, body.isMailed], [201, true]);
      await smtp.received(1);
      const [mail] = smtp.mails();
      assert.ok(mail);
      assert.deepEqual(mail.to, ['anna@example.com']);
      assert.equal(headerOf(mail, 'subject'), 'Your invitation to Plimsoll');
      const text = mail.source.replaceAll('=\r\n', '').replaceAll('=3D', '=');
      assert.ok(text.includes(`https://desk.example.com/#code=${body.code}`), text);
      assert.ok(text.includes('Hello Anna &lt;b&gt;,'), 'the name is text in the page');
      // Whoever reads the database or the list of mails gets no code.
      const rows = () => running.database.database.all('select * from mail_outbox limit 10');
      await until(async () => (await rows()).every(({ state }) => state === 'sent'));
      assert.equal(JSON.stringify(await rows()).includes(body.code), false);
      await sessionOf(user, { code: body.code });
      const mailed: boolean[] = [];
      for (let count = 0; count < 5; count += 1) {
        const again = await user.post<Invitation>(`${PEOPLE}/${body.id}/invitation`);
        mailed.push(again.body.isMailed);
      }
      assert.deepEqual(mailed, [true, true, true, true, false]);
    });
  });
}
