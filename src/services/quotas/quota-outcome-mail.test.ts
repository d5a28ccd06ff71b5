import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Quotas } from '../../domain/quotas/quotas.ts';
import { type QuotaOutcome, quotaOutcomeMail } from './quota-outcome-mail.ts';

const BEFORE: Quotas = {
  maxAccounts: 10,
  maxDeployedG1Accounts: 20,
  maxDeployedG2Accounts: 30,
  maxDeployedCopyAccounts: 40,
  maxDedicatedIpv4: 0,
};
const OUTCOME: QuotaOutcome = {
  decision: 'approve',
  region: 'main',
  requested: { maxAccounts: 1_000_000 },
  before: BEFORE,
  after: { ...BEFORE, maxAccounts: 1_000_000 },
  message: null,
};
const TO = { email: 'tina@example.com', name: null };
const render = (outcome: Partial<QuotaOutcome>, name: string | null = null) =>
  quotaOutcomeMail({ ...TO, name }, '<1@example.com>', { ...OUTCOME, ...outcome });

test('the mail has every quota before, as requested, and now', () => {
  const { text, html, to, messageId } = render({});
  assert.equal(to, TO.email);
  assert.equal(messageId, '<1@example.com>');
  const lines = text.split('\n').filter((line) => line.includes('(max'));
  assert.deepEqual(
    lines.map((line) => line.replaceAll(/ +/g, ' ')),
    [
      'Accounts (maxAccounts) 10 1000000 1000000',
      'Deployed G1 accounts (maxDeployedG1Accounts) 20 20',
      'Deployed G2 accounts (maxDeployedG2Accounts) 30 30',
      'Deployed copy accounts (maxDeployedCopyAccounts) 40 40',
      'Dedicated IPv4 addresses (maxDedicatedIpv4) 0 0',
    ],
  );
  assert.match(html, /<td>Accounts \(maxAccounts\)<\/td>\n<td>10<\/td>\n<td>1000000<\/td>/);
  assert.doesNotMatch(text + html, /Message from the operator/);
});

test('the subject tells the decision and the region', () => {
  assert.equal(render({}).subject, 'Your quota request for main was approved');
  const declined = render({ decision: 'decline', region: 'east' });
  assert.equal(declined.subject, 'Your quota request for east was declined');
});

test('user text is text in the page, never markup', () => {
  const wicked = `<script>alert("x")</script> & 'more'`;
  const { html, text } = render({ message: wicked }, wicked);
  assert.doesNotMatch(html, /<script/);
  const shown = '&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; &amp; &#39;more&#39;';
  assert.ok(html.includes(`<blockquote style="white-space:pre-wrap">${shown}</blockquote>`));
  assert.ok(html.includes(`Hello ${shown},`));
  assert.ok(text.includes(`> ${wicked}`));
});

test('a message of several lines stays quoted line by line', () => {
  const { text } = render({ message: 'one\r\nSubject: two\rthree\u2028four' });
  assert.match(text, /\n> one\n> Subject: two\n> three\n> four\n/);
});

test('a name or region with line ends makes no new header and no new line', () => {
  const { subject, text } = render({ region: 'main\r\nBcc: a@b.c' }, 'Tina\r\nand others');
  assert.equal(subject, 'Your quota request for main Bcc: a@b.c was approved');
  assert.ok(text.startsWith('Hello Tina and others,\n'));
});

test('lines of plain words fit an SMTP line without being broken', () => {
  const { text, html } = render({ message: 'Good luck' });
  for (const line of `${text}\n${html}`.split('\n')) assert.ok(line.length <= 76, line);
});
