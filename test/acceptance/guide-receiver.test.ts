import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { it } from 'node:test';
import { exampleOf, ROOT } from '../docs/blocks.ts';
import { needs } from '../needs.ts';
import { endWithUs } from '../servers/end-with-us.ts';
import { freePort } from '../servers/free-ports.ts';
import { newAccount, newUser, startOn } from '../servers/plimsoll-process.ts';
import { until } from '../servers/until.ts';

needs('server');

it('the receiver of the guide receives tests and events, exactly as printed', async (t) => {
  const running = await startOn('sqlite', {
    ...{ LOG_LEVEL: 'warn', PLIMSOLL_WEBHOOK_PRIVATE: 'allow' },
  });
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-receiver-'));
  t.after(async () => {
    await running.close();
    rmSync(folder, { recursive: true });
  });
  const client = await newUser(running.server.address);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/plimsoll`;
  const made = await client.post<{ id: string; secret: string }>('/users/current/webhooks', {
    url,
  });
  writeFileSync(join(folder, 'receiver.mjs'), exampleOf('docs/guide.md', 'new Webhook('));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const receiver = spawn(process.execPath, ['receiver.mjs'], {
    cwd: folder,
    env: { PORT: String(port), WEBHOOK_SECRET: made.body.secret },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  endWithUs(receiver);
  t.after(() => receiver.kill());
  const line = once(createInterface(receiver.stdout), 'line');
  const test = () => client.post(`/users/current/webhooks/${made.body.id}/test`);
  await until(() => accepts(url), 'it listens');
  assert.deepEqual((await test()).body, { delivered: true, result: 'answered 204' });
  const forged = await fetch(url, { method: 'POST', body: '{"type":"tracker.drawdown"}' });
  assert.equal(forged.status, 401);

  const id = await newAccount(client);
  const tracker = { name: 'any', period: 'lifetime', absoluteDrawdownThreshold: 1 };
  await client.post(`/users/current/accounts/${id}/trackers`, tracker);
  const row = { accountId: id, brokerTime: '2026-03-01 10:00:00', balance: 100, equity: 1 };
  await client.post('/users/current/snapshots', [row]);
  const [said] = (await line) as [string];
  assert.equal(said, `1 ${id} 2026-03-01 10:00:00.000`);
});

/** Whether a process listens there. */
const accepts = (url: string): Promise<boolean> =>
  fetch(url).then(
    () => true,
    () => false,
  );
