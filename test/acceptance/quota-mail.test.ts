import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { needs, testedOn } from '../needs.ts';
import { freePort } from '../servers/free-ports.ts';
import { runPlimsoll } from '../servers/plimsoll-command.ts';
import {
  ADMIN_TOKEN,
  Client,
  newUser,
  startOn,
  type TestServer,
} from '../servers/plimsoll-process.ts';
import {
  headerOf,
  type ReceivedMail,
  type SmtpServerProcess,
  startSmtpServer,
} from '../servers/smtp-server-process.ts';
import { until } from '../servers/until.ts';

needs('postgres', 'server');

type Mail = { id: string; to: string; state: string; lastResult?: string; messageId: string };
type Listed = { id: string; email: string; requested: object };

const CREDENTIALS = { user: 'plimsoll', password: 'p@ss word' };

/** The readable text of a mail, quoted-printable undone. */
function textOf(mail: ReceivedMail): string {
  return mail.source.replaceAll('=\r\n', '').replaceAll('=3D', '=');
}

for (const kind of testedOn()) {
  describe(`mail of quota decisions on ${kind}`, () => {
    let smtp: SmtpServerProcess;
    let running: TestServer;
    let environment: Record<string, string>;
    before(async () => {
      smtp = await startSmtpServer({ credentials: CREDENTIALS, port: await freePort() });
      const user = `plimsoll:${encodeURIComponent(CREDENTIALS.password)}`;
      environment = {
        SMTP_URL: `smtp://${user}@127.0.0.1:${smtp.port}`,
        MAIL_FROM: 'Plimsoll of Example <plimsoll@example.com>',
        PLIMSOLL_QUOTAS: 'maxAccounts=100',
        LOG_LEVEL: 'warn',
      };
      running = await startOn(kind, environment);
      environment = { ...environment, ...running.database.environment };
    });
    after(async () => {
      await running.close();
      await smtp.stop();
    });

    const ask = async (maxAccounts: number): Promise<string> => {
      const client = await newUser(running.server.address);
      const path = '/users/current/regions/main/quotas';
      const answer = await client.call<{ id: string }>('PATCH', path, { maxAccounts });
      assert.equal(answer.status, 201);
      return answer.body.id;
    };
    const plimsoll = (...args: string[]) => runPlimsoll(args, environment);
    const admin = (): Client => new Client(running.server.address, ADMIN_TOKEN);
    const mails = async (state: string): Promise<Mail[]> =>
      (await admin().get<Mail[]>(`/admin/mail?state=${state}`)).body;
    const drained = (): Promise<void> =>
      until(async () => (await mails('queued')).length === 0, 'no mail that is queued');

    it('arrives after an approval by command, with the quotas and the operator’s words', async () => {
      const id = await ask(150);
      const list = await plimsoll('quota', 'list', '--json');
      const pending: Listed[] = JSON.parse(list.stdout);
      assert.deepEqual(pending.find((request) => request.id === id)?.requested, {
        maxAccounts: 150,
      });
      const before = smtp.mails().length;
      const done = await plimsoll('quota', 'approve', id, '--message', 'Good luck');
      assert.deepEqual([done.code, done.stdout], [0, `Request ${id} approved\n`]);
      await smtp.received(before + 1);
      const mail = smtp.mails()[before];
      assert.ok(mail);
      assert.equal(mail.encrypted, true);
      assert.equal(mail.user, CREDENTIALS.user);
      assert.deepEqual(mail.to, [pending.find((request) => request.id === id)?.email]);
      assert.equal(headerOf(mail, 'Subject'), 'Your quota request for main was approved');
      assert.equal(headerOf(mail, 'From'), 'Plimsoll of Example <plimsoll@example.com>');
      assert.match(textOf(mail), /\(maxAccounts\) +100 +150 +150/);
      assert.match(textOf(mail), /> Good luck/);
    });

    it('waits for a mail server that is away, and arrives when it is back', async () => {
      const id = await ask(200);
      await smtp.stop();
      const done = await plimsoll('quota', 'decline', id, '--json');
      assert.deepEqual(JSON.parse(done.stdout), { id, state: 'declined' });
      let waiting: Mail[] = [];
      await until(async () => {
        waiting = await mails('queued');
        return waiting.some((mail) => mail.lastResult !== undefined);
      }, 'a mail that was tried in vain');
      smtp = await startSmtpServer({ credentials: CREDENTIALS, port: smtp.port });
      await smtp.received(1);
      const [mail] = smtp.mails();
      assert.ok(mail);
      assert.equal(headerOf(mail, 'Subject'), 'Your quota request for main was declined');
      assert.equal(headerOf(mail, 'Message-ID'), waiting[0]?.messageId);
      assert.match(textOf(mail), /\(maxAccounts\) +100 +200 +100/);
    });

    it('is given up when the server refuses it, and can be resent', async () => {
      await smtp.setFault({ kind: 'refuseRecipient', code: 550 });
      await plimsoll('quota', 'approve', await ask(300));
      let failed: Mail[] = [];
      await until(async () => {
        failed = await mails('failed');
        return failed.length > 0;
      }, 'a mail that failed');
      const [mail] = failed;
      assert.ok(mail);
      assert.match(mail.lastResult ?? '', /550/);
      const metrics = await new Client(running.server.address, undefined).get<string>('/metrics');
      assert.match(metrics.body, /^plimsoll_mails\{state="failed"\} 1$/m);
      await smtp.setFault({ kind: 'none' });
      const before = smtp.mails().length;
      const resent = await plimsoll('mail', 'resend', mail.id);
      assert.deepEqual([resent.code, resent.stdout], [0, `Mail ${mail.id} is queued\n`]);
      await smtp.received(before + 1);
      const arrived = smtp.mails()[before];
      assert.ok(arrived);
      assert.equal(headerOf(arrived, 'Message-ID'), mail.messageId);
      await drained();
      assert.equal((await admin().post(`/admin/mail/${mail.id}/resend`)).status, 409);
      assert.equal((await admin().post('/admin/mail/nothing/resend')).status, 404);
    });

    it('shows who decided by command in the audit', async () => {
      const { stdout } = await plimsoll('audit', '--json', '--limit', '500');
      const entries: { actor: string; action: string }[] = JSON.parse(stdout);
      const approved = entries.find(({ action }) => action === 'quota.approved');
      assert.match(approved?.actor ?? '', /^cli:./);
    });

    it('fails a command on a missing or decided request, and says so in one line', async () => {
      const unknown = await plimsoll('quota', 'approve', 'nothing');
      assert.deepEqual([unknown.code, unknown.stderr], [1, 'Quota request not found\n']);
      const id = await ask(400);
      await plimsoll('quota', 'decline', id);
      const again = await plimsoll('quota', 'approve', id);
      assert.equal(again.code, 1);
      assert.match(again.stderr, /already declined\n$/);
      const asked = await plimsoll('quota', 'list', '--limit', '0');
      assert.equal(asked.code, 2);
    });

    it('does not keep a server from stopping while the mail server is silent', async () => {
      await drained();
      await smtp.setFault({ kind: 'noReply' });
      const before = smtp.mails().length;
      await plimsoll('quota', 'approve', await ask(500));
      await smtp.received(before + 1);
      assert.equal(await running.server.stop(), 0);
      const kept = await plimsoll('mail', 'list', '--json', '--state', 'queued');
      assert.equal((JSON.parse(kept.stdout) as Mail[]).length, 1);
    });

    it('never shows the password of the mail server', () => {
      assert.ok(!running.server.log().includes('p@ss word'));
      assert.ok(!running.server.log().includes('p%40ss'));
    });
  });
}
