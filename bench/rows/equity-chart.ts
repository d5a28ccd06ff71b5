import pg from 'pg';
import { formatBrokerTime } from '../../src/domain/broker-time.ts';
import type { Database } from '../../src/storage/database.ts';
import { writeHours } from '../../src/storage/hour-store.ts';
import { HOUR_MS, HOURS, hoursOf, HOURS_START_MS as START_MS } from '../data/hours.ts';
import { accountId, storeAccounts, storeUser, TOKEN } from '../data/user.ts';
import { GOALS } from '../goals.ts';
import { HttpClient } from '../http-client.ts';
import { interleave, judge, median } from '../measure.ts';
import { labelOf, onDatabases } from '../on-databases.ts';
import type { Bench, BenchRow, Result } from '../row.ts';
import { serve } from '../servers/plimsoll.ts';
import { startVictoriaMetrics } from '../servers/victoria-metrics.ts';

const ACCOUNTS = 10_000;
const MINUTES = HOURS * 60;
const QUERIES = 200;

/** 30 days of an account by hours: min, max and average of balance and equity. */
export const equityChart: BenchRow = {
  name: 'equity-chart',
  what: 'the equity chart of 30 days of one account',
  run: onDatabases(runOn),
};

/** Accounts that have 30 days of hours, and in the peers 30 days of minutes. */
const filledOf = (bench: Bench): number => (bench.quick ? 20 : 100);

async function runOn(bench: Bench, kind: Database['kind']): Promise<Result[]> {
  await using stack = new AsyncDisposableStack();
  const filled = filledOf(bench);
  bench.progress(`  filling ${filled} of ${ACCOUNTS} accounts with 30 days on ${kind}`);
  const served = await serve(stack, kind, async (database) => {
    await storeUser(database);
    const accounts = await database.transaction((tx) => storeAccounts(tx, ACCOUNTS));
    for (const { number } of accounts.slice(0, filled)) {
      await database.transaction((tx) => writeHours(tx, hoursOf(number)));
    }
  });
  await sendNewest(served.address, filled);
  const url = served.environment.DATABASE_URL ?? process.env.PLIMSOLL_TEST_DATABASE_URL ?? '';
  const http = new HttpClient();
  stack.defer(() => http.close());
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  stack.defer(() => client.end());
  await fillRaw(client, filled);
  const victoria = await startVictoriaMetrics(stack, bench);
  if (victoria) await fillVictoria(victoria.address, filled);
  const samples: Record<string, number[]> = await interleave<string>(bench, {
    plimsoll: () =>
      p50(filled, (account) =>
        http.get(`${served.address}/users/current/accounts/${accountId(account)}/equity-chart`),
      ),
    groupBy: () =>
      p50(filled, async (account) => {
        const { rows } = await client.query({ name: 'chart', text: CHART, values: [account] });
        return JSON.stringify(rows);
      }),
    ...(victoria
      ? { victoria: () => p50(filled, (account) => http.get(chartUrl(victoria.address, account))) }
      : {}),
  });
  const name = `equity chart of 30 days, p50, ${labelOf(kind)}`;
  const own = samples.plimsoll ?? [];
  const raw = { name: 'GROUP BY of raw rows', samples: samples.groupBy ?? [] };
  return [
    judge(name, 'ms', own, raw, GOALS.chartToRawRows),
    ...(samples.victoria
      ? [
          judge(
            name,
            'ms',
            own,
            { name: 'VictoriaMetrics', samples: samples.victoria },
            GOALS.chartToVictoriaMetrics,
          ),
        ]
      : []),
  ];
}

/** A snapshot of this moment each, so that the hours before are over. */
async function sendNewest(address: string, filled: number): Promise<void> {
  const brokerTime = formatBrokerTime(Date.now());
  const values = { brokerTime, balance: 100_000, equity: 100_000 };
  const rows = Array.from({ length: filled }, (_, index) => ({
    accountId: accountId(index),
    ...values,
  }));
  const headers = { 'auth-token': TOKEN, 'content-type': 'application/json' };
  const body = JSON.stringify(rows);
  const answer = await fetch(`${address}/users/current/snapshots`, {
    method: 'POST',
    headers,
    body,
  });
  if (!answer.ok) throw new Error(await answer.text());
}

async function p50(filled: number, ask: (account: number) => Promise<string>): Promise<number> {
  const times: number[] = [];
  for (let number = 0; number < QUERIES; number += 1) {
    const began = performance.now();
    const answer = await ask(number % filled);
    times.push(performance.now() - began);
    if (answer.length < HOURS * 50)
      throw new Error(`a chart is too short: ${answer.slice(0, 200)}`);
  }
  return median(times);
}

const CHART = `
  select at_ms - at_ms % ${HOUR_MS} as hour_ms, min(balance), max(balance), avg(balance)::float8,
    min(equity), max(equity), avg(equity)::float8
  from raw_snapshot where account = $1 and at_ms >= ${START_MS} group by 1 order by 1`;

/** A snapshot a minute, in order of time, as they would come. */
async function fillRaw(client: pg.Client, filled: number): Promise<void> {
  await client.query(`
    drop table if exists raw_snapshot;
    create table raw_snapshot (account int, at_ms bigint, balance bigint, equity bigint);
    insert into raw_snapshot select a, ${START_MS} + m * 60000::bigint, 1000000000,
      1000000000 + (m * 7919 % 20001) * 1000
    from generate_series(0, ${MINUTES - 1}) m, generate_series(0, ${filled - 1}) a;
    create index on raw_snapshot (account, at_ms);
    analyze raw_snapshot`);
}

async function fillVictoria(address: string, filled: number): Promise<void> {
  for (let account = 0; account < filled; account += 1) {
    const lines: string[] = [];
    for (let minute = 0; minute < MINUTES; minute += 1) {
      const equity = 100_000 + ((minute * 7919) % 20_001) / 10;
      const nanoseconds = `${START_MS + minute * 60_000}000000`;
      lines.push(`snapshot,account=${account} balance=100000,equity=${equity} ${nanoseconds}`);
    }
    const answer = await fetch(`${address}/write`, { method: 'POST', body: lines.join('\n') });
    if (!answer.ok) throw new Error(await answer.text());
  }
  await fetch(`${address}/internal/force_flush`);
}

/** rollup() answers min, max and avg at once. */
function chartUrl(address: string, account: number): string {
  const query = `rollup({__name__=~"snapshot_balance|snapshot_equity",account="${account}"}[1h])`;
  const range = { start: START_MS / 1000 + 3600, end: START_MS / 1000 + HOURS * 3600, step: '1h' };
  const parameters = new URLSearchParams({ query, nocache: '1' });
  for (const [name, value] of Object.entries(range)) parameters.set(name, String(value));
  return `${address}/api/v1/query_range?${parameters}`;
}
