import assert from 'node:assert/strict';
import { it } from 'node:test';
import { needs } from '../needs.ts';
import { runPlimsoll } from '../servers/plimsoll-command.ts';

needs('server');

it('refuses bad settings of mail and quotas, one line each, without showing a password', async () => {
  const { code, stderr } = await runPlimsoll(['serve'], {
    SMTP_URL: 'smtp://me:s3cret@mail.example.com?starttls=yes',
    MAIL_FROM: 'nobody',
    PLIMSOLL_QUOTAS: 'maxAccounts=-1,maxWishes=3',
    PLIMSOLL_QUOTA_CEILINGS: 'maxAccounts=1e9',
    PLIMSOLL_REGIONS: 'main,main',
  });
  assert.equal(code, 2);
  const lines = stderr.trim().split('\n');
  assert.deepEqual(lines.map((line) => line.split(' must ')[0]).sort(), [
    'MAIL_FROM',
    'PLIMSOLL_QUOTAS',
    'PLIMSOLL_QUOTA_CEILINGS',
    'PLIMSOLL_REGIONS',
    'SMTP_URL',
  ]);
  assert.match(stderr, /maxWishes is not a quota/);
  assert.doesNotMatch(stderr, /s3cret/);
});
