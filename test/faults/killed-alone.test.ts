import assert from 'node:assert/strict';
import { it } from 'node:test';
import { needs } from '../needs.ts';
import { Client, newAccount, newUser, startPlimsoll } from '../servers/plimsoll-process.ts';
import { metricOf } from '../servers/server-metrics.ts';
import { openTestDatabase } from '../servers/test-databases.ts';

needs('postgres', 'server', 'time');

const PARTITIONS = 16;
type Event = { accountId: string };

const skip = process.platform === 'linux' ? false : 'only Linux shows which process has ended';
it('takes over the jobs of the only process on postgres at once after a kill', {
  skip,
}, async () => {
  await using stack = new AsyncDisposableStack();
  const database = await openTestDatabase('postgres');
  stack.defer(() => database.close());
  const killed = await startPlimsoll(database.environment);
  const user = await newUser(killed.address);
  const accountId = await newAccount(user);
  const tracker = { name: 'Daily loss', period: 'day', absoluteDrawdownThreshold: 100 };
  const trackers = `/users/current/accounts/${accountId}/trackers`;
  assert.equal((await user.post(trackers, tracker)).status, 201);
  const send = (client: Client, minute: string, equity: number) => {
    const brokerTime = `2026-03-02 10:${minute}:00`;
    return client.post('/users/current/snapshots', [
      { accountId, brokerTime, balance: 10_000, equity },
    ]);
  };
  assert.equal((await send(user, '00', 10_000)).status, 200);
  await killed.kill();
  const next = await startPlimsoll(database.environment);
  stack.defer(() => next.kill());
  assert.equal(await metricOf(next.address, 'plimsoll_owned_partitions'), PARTITIONS);
  const client = new Client(next.address, user.token);
  assert.equal((await send(client, '01', 9_800)).status, 200);
  const told = await client.get<Event[]>('/users/current/drawdown-events/stream?wait=20');
  // Its number may be the second one: a clock that is off for half a minute is an event, too.
  assert.deepEqual(
    told.body.map((event) => event.accountId),
    [accountId],
  );
});
