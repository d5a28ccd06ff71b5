import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseMailFrom, parseSmtpUrl } from './smtp-settings.ts';

test('smtp means STARTTLS on 587, required and verified', () => {
  assert.deepEqual(parseSmtpUrl('smtp://me:p%40ss@mail.example.com'), {
    host: 'mail.example.com',
    port: 587,
    secure: false,
    startTls: 'required',
    verifyCertificate: true,
    credentials: { user: 'me', password: 'p@ss' },
  });
});

test('smtps means TLS on 465', () => {
  const settings = parseSmtpUrl('smtps://mail.example.com');
  assert.equal(settings.port, 465);
  assert.equal(settings.secure, true);
  assert.equal(settings.credentials, undefined);
});

test('the options of the URL apply', () => {
  const plain = parseSmtpUrl('smtp://mail.example.com:2525?ignoreTLS=true');
  assert.equal(plain.startTls, 'never');
  assert.equal(plain.port, 2525);
  const any = parseSmtpUrl('smtp://mail.example.com?rejectUnauthorized=false');
  assert.equal(any.startTls, 'required');
  assert.equal(any.verifyCertificate, false);
});

test('a server on this machine may do without TLS unless the URL requires it', () => {
  for (const host of ['127.0.0.1', 'localhost', '[::1]'])
    assert.equal(parseSmtpUrl(`smtp://${host}:2525`).startTls, 'whenOffered', host);
  const strict = parseSmtpUrl('smtp://127.0.0.1:2525?requireTLS=true');
  assert.equal(strict.startTls, 'required');
  assert.equal(strict.verifyCertificate, true);
  assert.equal(parseSmtpUrl('smtp://127.0.0.1.example.com').startTls, 'required');
});

test('bad URLs are refused in words that do not repeat them', () => {
  for (const text of [
    'mail.example.com',
    'http://me:secret@mail.example.com',
    'smtp://me:secret@mail.example.com?ignoreTls=true',
    'smtp://me:secret@mail.example.com?ignoreTLS=yes',
    'smtp://me:secret%zz@mail.example.com',
    'smtp://me:secret@mail.example.com?ignoreTLS=true&requireTLS=true',
    'smtp://',
  ])
    assert.throws(
      () => parseSmtpUrl(text),
      (error: Error) => !error.message.includes('secret') && error.message.length > 0,
      text,
    );
});

test('the sender is read with and without a name', () => {
  const named = { name: 'Plimsoll', address: 'mail@example.com' };
  assert.deepEqual(parseMailFrom('Plimsoll <mail@example.com>'), named);
  assert.deepEqual(parseMailFrom('"Plimsoll" <mail@example.com>'), named);
  assert.deepEqual(parseMailFrom(' mail@example.com '), { name: '', address: 'mail@example.com' });
});

test('a sender that is not one address is refused', () => {
  for (const text of ['', 'Plimsoll', 'a@b, c@d', 'A <a@b>\r\nBcc: c@d', 'A\r\nBcc: x <a@b>'])
    assert.throws(() => parseMailFrom(text), /be an address/, JSON.stringify(text));
});
