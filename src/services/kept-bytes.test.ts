import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { systemTime } from '../app/system-time.ts';
import { ClockViews } from '../domain/live/clock-views.ts';
import { TrackerRules } from '../domain/live/tracker-rule.ts';
import { CommitStream } from '../engine/commit-stream.ts';
import { EventFeed } from '../feeds/event-feed.ts';
import { AccountIds, KnownOrders } from '../ingest/account-ids.ts';
import { IngestAccounts } from '../ingest/ingest-accounts.ts';
import { GrowingColumns } from '../journal/entry.ts';
import { Catalogue } from '../storage/catalogue.ts';
import type { Database, Row, Sql, SqlParameter } from '../storage/database.ts';
import { RecentHours } from './overview/recent-hours.ts';
import { PageCache } from './page-cache.ts';
import { ownBytes, SharedAnswers } from './shared-answers.ts';

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

const BOUND = 4 * 2 ** 20;
const ENTRY = 1500;

function heldBytes(): number {
  collect();
  collect();
  const { arrayBuffers, heapUsed } = process.memoryUsage();
  return arrayBuffers + heapUsed;
}

/** Other requests make short buffers in the slabs that those of the entries would come from. */
function otherWork(): void {
  for (let made = 0; made < 64_000; made += 1000) Buffer.from('y'.repeat(1000));
}

const idOf = (list: number, place: number): string => `${list}-${place}`.padEnd(64, 'a');

it('orders of accounts hold no more than their bound, however long they are', () => {
  const orders = new KnownOrders();
  const before = heldBytes();
  for (let list = 0; list < 40; list += 1) {
    const body = Buffer.from(Array.from({ length: 5000 }, (_, n) => idOf(list, n)).join(''));
    const order = orders.begin(body);
    for (let row = 0; row < 5000; row += 1) order.placeOf(row, row * 64, (row + 1) * 64);
    order.end();
    otherWork();
  }
  const held = heldBytes() - before;
  assert.ok(orders.bytes > 8 * 2 ** 20 && orders.bytes <= 16 * 2 ** 20, String(orders.bytes));
  assert.ok(held < 1.2 * orders.bytes, `they count ${orders.bytes} bytes and hold ${held}`);
});

it('remembered tokens hold no more than their bound, however many accounts they name', async () => {
  const catalogue = new Catalogue({
    kind: 'sqlite',
    all: async () => [],
    run: async () => 0,
    get: async <T extends Row>(sql: string, params: readonly SqlParameter[] = []) =>
      (/access_token/.test(sql) ? tokenRow(String(params[0])) : { version: 0 }) as T,
  });
  await catalogue.refresh();
  const before = heldBytes();
  for (let token = 0; token < 1000; token += 1) await catalogue.tokenByHash(`${token}`);
  const held = heldBytes() - before;
  const counted = catalogue.tokenBytes;
  assert.ok(counted > 32 * 2 ** 20 && counted <= 64 * 2 ** 20, String(counted));
  assert.ok(held < 1.2 * counted, `they count ${counted} bytes and hold ${held}`);
});

const tokenRow = (hash: string): Row => ({
  ...{ id: hash, user_id: 'anna', kind: 'token', name: null, hash, scopes: 'read' },
  account_ids: JSON.stringify(Array.from({ length: 1000 }, (_, n) => idOf(Number(hash), n))),
  ...{ created_at_ms: 1, expires_at_ms: null },
});

it('caches of short answers never exceed their bound, whatever is allocated between them', async () => {
  const pages = new PageCache(BOUND);
  const answers = new SharedAnswers<Buffer>(BOUND, ({ length }) => length);
  const before = heldBytes();
  for (let number = 0; number * ENTRY < 2 * BOUND; number += 1) {
    const part = Buffer.from('x'.repeat(ENTRY));
    pages.set(`page ${number}`, '1', [part]);
    pages.set(`page ${number}`, '1', [part]);
    otherWork();
    await answers.of(`answer ${number}`, '1', async () => ownBytes('x'.repeat(ENTRY)));
    otherWork();
  }
  const held = heldBytes() - before;
  const counted = pages.bytes + answers.bytes;
  assert.ok(counted > BOUND && counted <= 2 * BOUND, String(counted));
  assert.ok(held < 1.2 * counted, `they count ${counted} bytes and hold ${held}`);
});

it('own commits that wait for earlier ones hold no more than their bound', () => {
  const stream = new CommitStream({
    ...{ position: 0, followers: new Map(), onNewerFormat: assert.fail },
    journal: { fullRead: 1, read: () => new Promise(() => {}) },
    ...{ time: systemTime, logger: { info() {}, warn() {}, error() {} } },
  });
  const before = heldBytes();
  for (let position = 2; position < 2000; position += 1) {
    const columns = new GrowingColumns(2000);
    const rest = { rowCount: 2000, accounts: new Uint32Array(1), deals: [], command: undefined };
    const entry = { ...columns, ...rest, receivedUtcMs: 1 };
    stream.appended(position, { receivedUtcMs: 1, entries: new Map([[0, entry]]) });
  }
  const held = heldBytes() - before;
  assert.equal(stream.position, 0);
  assert.ok(held > 8 * 2 ** 20 && held < 1.2 * 32 * 2 ** 20, `they hold ${held}`);
});

/** A database that answers all reads with the rows of `rowsOf`. */
const answering = (rowsOf: (sql: string, params: readonly SqlParameter[]) => Row[]): Database => ({
  ...{ kind: 'sqlite', isShared: false, failure: undefined },
  all: async <T extends Row>(sql: string, params: readonly SqlParameter[] = []) =>
    rowsOf(sql, params) as T[],
  get: async <T extends Row>(sql: string, params: readonly SqlParameter[] = []) =>
    rowsOf(sql, params)[0] as T | undefined,
  ...{ run: async () => 0, transaction: () => assert.fail(), close: async () => {} },
  ...{ listen: () => () => {}, announce: () => {} },
});

const untilEventOf = (last: number) => ({ filter: { userId: 'anna' }, after: last - 1, limit: 1 });

it('the feed keeps 5000 events, whatever their users name', async () => {
  const LAST = 12_000;
  const longest = JSON.stringify({
    ...{ accountId: 'a'.repeat(64), trackerId: 't'.repeat(64), period: 'day', startTimeMs: 1 },
    ...{ endTimeMs: 2, timeMs: 1, absoluteDrawdown: 0.5, relativeDrawdown: 0.5 },
    ...{ absoluteProfit: 0.5, relativeProfit: 0.5, allowed: 0.5, inclusive: true, baseline: 0.5 },
    ...{ initialBalance: 0.5, balance: 0.5, equity: 0.5, adjustment: 0.5, round: 0 },
    exceededThresholdType: 'drawdown',
  });
  const eventRow = (number: number): Row => ({
    ...{ last_number: LAST, sequence_number: number, user_id: 'anna', account_number: 1 },
    ...{ money_digits: 2, record: `${longest.slice(0, -1)},"position":${number}}`, revises: null },
  });
  const database = answering((sql, [after = 0]) => {
    if (!sql.includes('event_head left join')) return [{ last_number: 0 }];
    const first = Number(after) + 1;
    const count = Math.min(1000, LAST + 1 - first);
    return Array.from({ length: count }, (_, place) => eventRow(first + place));
  });
  const catalogue = { onChange: () => {}, version: 0, isChanged: () => false };
  const logger = { warn: (fields: object) => assert.fail(JSON.stringify(fields)) };
  const feed = new EventFeed({ database, catalogue, time: systemTime, logger });
  // What the test before has used is held until its turn is over.
  await setImmediate();
  const before = heldBytes();
  await feed.start();
  const [event] = await feed.next(untilEventOf(LAST), 60_000);
  const held = heldBytes() - before;
  assert.equal(event?.sequenceNumber, LAST);
  feed.close();
  assert.ok(held > 2 ** 20 && held < 10 * 2 ** 20, `its events hold ${held}`);
});

it('lists of accounts that snapshots repeat hold no more than their bound', async () => {
  let number = 0;
  const database = answering((_, params) =>
    params.slice(1).map((id): Row => {
      number += 1;
      const facts = { id: String(id), number, currency: 'USD', broker_clock: '0 Europe/Athens' };
      return { ...facts, last_utc_ms: null };
    }),
  );
  const catalogue = new Catalogue(answering(() => [{ version: 0 }]));
  const accounts = new IngestAccounts(database, catalogue, new ClockViews(), 1000);
  const before = heldBytes();
  for (let list = 0; list < 400; list += 1) {
    const texts = Array.from({ length: 1000 }, (_, place) => idOf(list, place));
    await accounts.find('anna', AccountIds.of(texts));
    otherWork();
  }
  const held = heldBytes() - before;
  assert.ok(held > 2 ** 24 && held < 1.2 * 2 ** 26, `lists of 64 MiB hold ${held}`);
});

it('the last hours of accounts, clocks and rules hold what docs/security.md says', async () => {
  const hours = new RecentHours(1000);
  const figures = { start_balance: 0.5, start_equity: 0.5, last_balance: 0.5, last_equity: 0.5 };
  const sql: Sql = {
    kind: 'sqlite',
    get: async () => undefined,
    run: async () => 0,
    all: async <T extends Row>() =>
      Array.from({ length: 72 }, (_, n) => ({ start_time_ms: n * 3.6e6, ...figures }) as Row as T),
  };
  const before = heldBytes();
  const read = (number: number) =>
    hours.read(sql, { account: { number }, standing: { lastTimeMs: 1 }, hoursVersion: 1 });
  for (let number = 0; number < 3000; number += 1) await read(number);
  const held = heldBytes() - before;
  assert.ok(held > 2 ** 20 && held < 14 * 2 ** 20, `the hours hold ${held}`);
  assert.equal((await read(2999)).length, 72);

  const clocks = new ClockViews();
  const rules = new TrackerRules(clocks);
  const beforeRules = heldBytes();
  for (let n = 0; n < 5000; n += 1) {
    const resetClock = { zone: 'Europe/Athens', time: `${n % 24}:${n % 60}:${n % 59}` };
    const definition = { id: 'a', name: 'a', period: 'day' as const, resetClock };
    rules.ruleOf({ ...definition, absoluteDrawdownThreshold: n });
    clocks.viewOf({ zone: 'Europe/Athens', shiftHours: n / 1000 });
  }
  const heldByRules = heldBytes() - beforeRules;
  assert.equal(rules.clocks, clocks);
  assert.ok(
    heldByRules > 2 ** 20 && heldByRules < 16 * 2 ** 20,
    `clocks and rules hold ${heldByRules}`,
  );
});
