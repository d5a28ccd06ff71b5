import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import { Registry } from 'prom-client';
import { ClockViews } from '../../src/domain/live/clock-views.ts';
import { TrackerRules } from '../../src/domain/live/tracker-rule.ts';
import { Backlog } from '../../src/engine/backlog.ts';
import { Checkpointer } from '../../src/engine/checkpointer.ts';
import { createEngineMetrics } from '../../src/engine/engine-metrics.ts';
import { EventPublisher } from '../../src/engine/event-publisher.ts';
import { EventWriter } from '../../src/engine/event-writer.ts';
import { Persistence } from '../../src/engine/persistence.ts';
import { AccountMemory, recordsIn, TrackedAccount } from '../../src/engine/tracked-account.ts';
import { FaultyDatabase } from '../servers/faulty-database.ts';
import { silent } from '../servers/test-context.ts';
import { openTestDatabase } from '../servers/test-databases.ts';
import { TestTime } from '../servers/test-time.ts';
import { until } from '../servers/until.ts';
import { newAccount } from '../storage-contract/fixture.ts';
import { hourOf, ownPartition } from '../storage-contract/live-fixture.ts';

const HOUR_MS = 3_600_000;
/** More than a call of a function takes as arguments, which once ended the live side for good. */
const HOURS = 130_000;
const OTHERS = 2_500;
const RECORDS_PER_TRANSACTION = 1_000;

/** A checkpointer on SQLite, and how many rows of records each of its transactions wrote. */
async function openWorld(t: TestContext) {
  const stored = await openTestDatabase('sqlite');
  t.after(() => stored.close());
  const database = new FaultyDatabase(stored.database);
  const { partition, epoch } = await ownPartition(stored.database);
  const written: number[] = [];
  database.faults.before = ({ sql }) => {
    if (sql === 'begin') written.push(0);
    if (!/^insert into (equity_bucket|period_statistics)/.test(sql)) return;
    const rows = sql.split('($').length - 1;
    written.push((written.pop() ?? 0) + rows);
  };
  const time = new TestTime();
  const memory = new AccountMemory(new TrackerRules(new ClockViews()));
  const persistence = new Persistence(partition, time, silent, () => {});
  const common = { database, partition, epoch, persistence };
  const backlog = new Backlog(0, memory.minutes);
  backlog.reach(1);
  const publisher = new EventPublisher({
    ...common,
    writer: new EventWriter(database, Date.now, () => {}),
  });
  const checkpointer = new Checkpointer({
    ...{ ...common, backlog, publisher, time, recent: memory.recent },
    ...{ checkpointMs: 1000, partitions: 1, metrics: createEngineMetrics(new Registry()) },
  });
  const open = async () => {
    const { number, id, brokerClock } = await newAccount(stored.database);
    const account = new TrackedAccount(
      { number, id, brokerClock, moneyDigits: 4, position: 0 },
      memory,
    );
    backlog.mark(account, 0);
    return account;
  };
  const count = async (table: string, { number }: TrackedAccount) => {
    const query = `select count(*) as rows from ${table} where account_number = $1`;
    return (await stored.database.get<{ rows: number }>(query, [number]))?.rows;
  };
  return { backlog, checkpointer, persistence, time, written, open, count };
}

it('stores a backfill of 130 000 hours during a deletion, some records at a time', async (t) => {
  const { backlog, checkpointer, written, open, count } = await openWorld(t);
  const [deleted, long, small] = [await open(), await open(), await open()];
  for (const [account, hours] of [
    [deleted, 10],
    [long, HOURS],
    [small, 10],
  ] as const) {
    const pending = account.toStore();
    for (let hour = 0; hour < hours; hour += 1) {
      const { accountNumber: _, ...bucket } = hourOf(account.number, hour * HOUR_MS);
      pending.hours.set(bucket.startTimeMs, { ...bucket, accountId: account.id });
    }
  }
  deleted.free();
  backlog.markRemoved(deleted.number, undefined);
  await checkpointer.pass();
  assert.equal(await count('equity_bucket', long), HOURS);
  assert.equal(await count('equity_bucket', small), 10);
  assert.equal(await count('equity_bucket', deleted), 0);
  assert.ok(Math.max(...written) <= RECORDS_PER_TRANSACTION, `${Math.max(...written)} records`);
  assert.equal(recordsIn(long.pending), 0);
  assert.equal(backlog.stored, 1);
});

it('stores late snapshots and completed periods early, too', async (t) => {
  const { checkpointer, written, open, count } = await openWorld(t);
  const account = await open();
  const pending = account.toStore();
  for (let index = 0; index < OTHERS; index += 1) {
    const startTimeMs = index * HOUR_MS;
    pending.corrections.push({ accountId: account.id, startTimeMs, balance: 1, equity: 1 });
    pending.periods.set(`tracker ${startTimeMs}`, {
      ...{ accountId: account.id, trackerId: 'tracker', period: 'day', startTimeMs },
      ...{ periodStatus: 'completed', adjustment: 0, maxAbsoluteDrawdown: 0 },
      ...{ maxRelativeDrawdown: 0, maxAbsoluteProfit: 0, maxRelativeProfit: 0 },
      ...{ tradeDayCount: 0, thresholdExceeded: false },
    });
  }
  await checkpointer.pass();
  assert.equal(await count('equity_bucket', account), OTHERS);
  assert.equal(await count('period_statistics', account), OTHERS);
  assert.ok(Math.max(...written) <= RECORDS_PER_TRANSACTION, `${Math.max(...written)} records`);
  assert.equal(recordsIn(account.pending), 0);
});

it('does not pass an account that could not be encoded, and stores it when possible', async (t) => {
  const { backlog, checkpointer, persistence, time, open, count } = await openWorld(t);
  const [odd, other] = [await open(), await open()];
  for (const account of [odd, other]) {
    const { accountNumber: _, ...bucket } = hourOf(account.number, 0);
    account.toStore().hours.set(0, { ...bucket, accountId: account.id });
  }
  let isBroken = true;
  Object.defineProperty(odd, 'brokerClock', {
    get: () => {
      if (isBroken) throw new Error('a fault that nobody thought of');
      return other.brokerClock;
    },
  });
  const pass = checkpointer.pass();
  await until(() => persistence.failing.length > 0, 'the failure is told');
  assert.deepEqual(persistence.failing, ['encoding accounts']);
  assert.equal(backlog.stored, 0);
  isBroken = false;
  await time.pass(2000);
  await pass;
  assert.deepEqual(
    [await count('equity_bucket', odd), await count('equity_bucket', other)],
    [1, 1],
  );
  assert.deepEqual([backlog.stored, persistence.failing.length], [1, 0]);
});
