import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { it } from 'node:test';
import { needs } from '../needs.ts';
import { newAccount, newUser, startOn } from '../servers/plimsoll-process.ts';
import { metricsOf } from '../servers/server-metrics.ts';
import { until } from '../servers/until.ts';

needs('server');

const SNAPSHOTS = '/users/current/snapshots';

it('counts accepted, late and refused snapshots, events by kind, and deliveries by result', async (t) => {
  const running = await startOn('sqlite', { PLIMSOLL_WEBHOOK_PRIVATE: 'allow' });
  t.after(() => running.close());
  const { address } = running.server;
  const receiver = createServer((request, response) => {
    response.writeHead(request.url === '/good' ? 204 : 500).end();
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  t.after(() => {
    receiver.close();
    receiver.closeAllConnections();
  });
  const { port } = receiver.address() as { port: number };
  const user = await newUser(address);
  const accountId = await newAccount(user);
  const tracker = { name: 'daily', period: 'day', relativeDrawdownThreshold: 0.05 };
  await user.post(`/users/current/accounts/${accountId}/trackers`, tracker);
  // The last one has no listener.
  for (const url of [`http://127.0.0.1:${port}/good`, `http://127.0.0.1:${port}/bad`, GONE]) {
    assert.equal((await user.post('/users/current/webhooks', { url })).status, 201);
  }
  const row = (second: number, equity: number) => ({
    ...{ accountId, balance: 10_000, equity },
    brokerTime: `2026-03-02 10:00:0${second}`,
  });
  assert.equal((await user.post(SNAPSHOTS, [row(1, 10_000), row(5, 9000)])).status, 200);
  assert.equal((await user.post(SNAPSHOTS, [row(3, 9500)])).status, 200);
  assert.equal((await user.post(SNAPSHOTS, [{ accountId }])).status, 400);
  const unknown = { ...row(6, 9000), accountId: 'unknown' };
  assert.equal((await user.post(SNAPSHOTS, [unknown])).status, 404);
  const readValue = async (name: string): Promise<number> => {
    const text = await metricsOf(address);
    const line = text.split('\n').find((each) => each.startsWith(`${name} `));
    return Number(line?.slice(name.length + 1) ?? 0);
  };
  assert.equal(await readValue('plimsoll_snapshots_accepted_total'), 3);
  assert.equal(await readValue('plimsoll_snapshots_late_total'), 1);
  const refused = (reason: string) =>
    readValue(`plimsoll_snapshot_bodies_refused_total{reason="${reason}"}`);
  assert.deepEqual([await refused('invalid'), await refused('unknownAccount')], [1, 1]);
  assert.equal(await refused('busy'), 0);
  const isOnce = async () => (await readValue('plimsoll_events_total{kind="drawdown"}')) === 1;
  await until(isOnce, 'a counted event');
  const results = ['taken', 'refused', 'unanswered'];
  for (const result of results) {
    const name = `plimsoll_webhook_deliveries_total{result="${result}"}`;
    await until(async () => (await readValue(name)) >= 1, `a delivery that is ${result}`);
  }
  assert.equal(await readValue('plimsoll_webhook_deliveries_total{result="taken"}'), 1);
});

const GONE = 'http://127.0.0.1:9/';
