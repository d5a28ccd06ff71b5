import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  headerOf,
  type SmtpServerProcess,
  startSmtpServer,
} from '../../test/servers/smtp-server-process.ts';
import type { Mail } from '../domain/mail.ts';
import { createSmtpSender } from './smtp-sender.ts';
import { parseSmtpUrl } from './smtp-settings.ts';

const FROM = { name: 'Plimsoll', address: 'plimsoll@example.com' };
const MAIL: Mail = {
  messageId: '<7f7b0d9e-quota@example.com>',
  to: 'trader@example.com',
  subject: 'Your quotas in main were changed',
  text: 'maxAccounts: 10 → 20\n.\nend',
  html: '<p>maxAccounts: 10 → 20</p>',
};
const CREDENTIALS = { user: 'plimsoll', password: 'p@ss/word' };

let server: SmtpServerProcess;
before(async () => {
  server = await startSmtpServer({ credentials: CREDENTIALS });
});
after(() => server.stop());

const never = () => new AbortController().signal;
const sender = (parameters: string, password = CREDENTIALS.password) =>
  createSmtpSender(
    parseSmtpUrl(
      `smtp://plimsoll:${encodeURIComponent(password)}@127.0.0.1:${server.port}${parameters}`,
    ),
    FROM,
  );

/** The mail that arrives after the `count` mails so far. */
async function mailAfter(count: number) {
  await server.received(count + 1);
  const mail = server.mails()[count];
  assert.ok(mail);
  return mail;
}

test('a mail arrives over STARTTLS and authentication, whole and with its Message-ID', async () => {
  const before = server.mails().length;
  const result = await sender('').send(MAIL, never());
  assert.equal(result.outcome, 'sent');
  const mail = await mailAfter(before);
  assert.equal(mail.encrypted, true);
  assert.equal(mail.user, 'plimsoll');
  assert.equal(mail.from, FROM.address);
  assert.deepEqual(mail.to, [MAIL.to]);
  assert.equal(headerOf(mail, 'Message-ID'), MAIL.messageId);
  assert.equal(headerOf(mail, 'Subject'), MAIL.subject);
  assert.equal(headerOf(mail, 'From'), 'Plimsoll <plimsoll@example.com>');
  assert.equal(headerOf(mail, 'Auto-Submitted'), 'auto-generated');
});

test('if TLS is required, an untrusted certificate gets neither password nor mail', async () => {
  const before = server.mails().length;
  const result = await sender('?requireTLS=true').send(MAIL, never());
  assert.equal(result.outcome, 'deferred');
  assert.match('error' in result ? result.error : '', /self.signed|certificate/i);
  assert.equal(server.mails().length, before);
});

test('if TLS is required, a server without it gets no mail', async () => {
  const plain = await startSmtpServer({ startTls: false });
  try {
    const url = `smtp://127.0.0.1:${plain.port}`;
    const required = createSmtpSender(parseSmtpUrl(`${url}?requireTLS=true`), FROM);
    assert.equal((await required.send(MAIL, never())).outcome, 'deferred');
    assert.equal(plain.mails().length, 0);
    const local = createSmtpSender(parseSmtpUrl(url), FROM);
    assert.equal((await local.send(MAIL, never())).outcome, 'sent');
  } finally {
    await plain.stop();
  }
});

test('a wrong password defers the mail: the operator can correct it', async () => {
  const result = await sender('', 'wrong').send(MAIL, never());
  assert.equal(result.outcome, 'deferred');
  assert.match('error' in result ? result.error : '', /535/);
  assert.doesNotMatch(JSON.stringify(result), /wrong/);
});

test('451 defers, 550 and 554 refuse', async () => {
  await server.setFault({ kind: 'greylist', times: 1 });
  assert.equal((await sender('').send(MAIL, never())).outcome, 'deferred');
  assert.equal((await sender('').send(MAIL, never())).outcome, 'sent');
  await server.setFault({ kind: 'refuseRecipient', code: 550 });
  assert.equal((await sender('').send(MAIL, never())).outcome, 'refused');
  await server.setFault({ kind: 'refuseMessage', code: 554 });
  assert.equal((await sender('').send(MAIL, never())).outcome, 'refused');
  await server.setFault({ kind: 'refuseMessage', code: 452 });
  assert.equal((await sender('').send(MAIL, never())).outcome, 'deferred');
  await server.setFault({ kind: 'none' });
});

test('a connection cut within or after the message defers', async () => {
  for (const kind of ['cutMidMessage', 'cutAfterMessage'] as const) {
    await server.setFault({ kind, times: 1 });
    assert.equal((await sender('').send(MAIL, never())).outcome, 'deferred', kind);
    assert.equal((await sender('').send(MAIL, never())).outcome, 'sent', kind);
  }
  await server.setFault({ kind: 'none' });
});

test('no server at the address defers', async () => {
  const gone = await startSmtpServer();
  await gone.stop();
  const away = createSmtpSender(parseSmtpUrl(`smtp://127.0.0.1:${gone.port}`), FROM);
  assert.equal((await away.send(MAIL, never())).outcome, 'deferred');
});

test('a silent server is left when the signal aborts', async () => {
  await server.setFault({ kind: 'silent' });
  const stop = new AbortController();
  const before = server.attempts();
  const attempt = sender('').send(MAIL, stop.signal);
  await server.attempted(before + 1);
  stop.abort();
  assert.equal((await attempt).outcome, 'deferred');
  await server.setFault({ kind: 'none' });
});

test('no header and no recipient can be smuggled in', async () => {
  const subject = 'Quotas\r\nBcc: victim@example.com\r\n\r\nbody';
  const before = server.mails().length;
  assert.equal((await sender('').send({ ...MAIL, subject }, never())).outcome, 'sent');
  const mail = await mailAfter(before);
  assert.deepEqual(mail.to, [MAIL.to]);
  assert.equal(headerOf(mail, 'Bcc'), undefined);
  assert.equal(headerOf(mail, 'Subject'), 'Quotas Bcc: victim@example.com body');
  for (const to of ['a@b.c\r\nBcc: d@e.f', 'a@b.c, d@e.f', 'a@b.c>\r\nRCPT TO:<d@e.f'])
    assert.equal((await sender('').send({ ...MAIL, to }, never())).outcome, 'refused');
});
