import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isMailAddress, singleLine } from './mail.ts';

test('a plain address is accepted', () => {
  assert.ok(isMailAddress('demo@plimsoll.local'));
  assert.ok(isMailAddress("o'brien+quotas@example.co.uk"));
});

test('no address contains a second line, a second person or a display name', () => {
  for (const text of [
    'a@b\r\nBcc: c@d',
    'a@b,c@d',
    'A <a@b>',
    'a@b c@d',
    'a@b\u0000',
    '',
    '@b',
    'a@',
    'a',
  ])
    assert.equal(isMailAddress(text), false, JSON.stringify(text));
});

test('a header line has no line ends and is bounded', () => {
  assert.equal(singleLine('Quota\r\nBcc: c@d\u2028x', 100), 'Quota Bcc: c@d x');
  assert.equal(singleLine('abcdef', 3), 'abc');
});
