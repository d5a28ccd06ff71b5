import pg from 'pg';
import type { Database } from '../../src/storage/database.ts';
import { storeTrades } from '../data/trades.ts';
import { storeAccounts, storeUser, TOKEN } from '../data/user.ts';
import { forkServer } from '../forked.ts';
import { GOALS } from '../goals.ts';
import { askWithWrk } from '../load/wrk.ts';
import { interleave, judge } from '../measure.ts';
import { onDatabases } from '../on-databases.ts';
import type { Bench, BenchRow, Result } from '../row.ts';
import { serve } from '../servers/plimsoll.ts';

const CONNECTIONS = 16;
const TRADES = 1000;
/** Holds every page of all accounts; the default holds 128 MB. */
const PAGE_CACHE_MB = '512';

/** Operation 1: a page of 1 000 trades, over many accounts, never asked before and asked again. */
export const historicalTrades: BenchRow = {
  name: 'historical-trades',
  what: 'operation 1: 1 000 trades a page, 16 connections',
  needs: ['wrk'],
  run: onDatabases(runOn),
};

async function runOn(bench: Bench, kind: Database['kind']): Promise<Result[]> {
  await using stack = new AsyncDisposableStack();
  const accounts = bench.quick ? 300 : 1000;
  bench.progress(`  filling ${accounts} accounts with ${TRADES} trades on ${kind}`);
  const seed = async (database: Database): Promise<void> => {
    await storeUser(database);
    const stored = await database.transaction((tx) => storeAccounts(tx, accounts));
    await storeTrades(database, stored, TRADES);
  };
  const { address, environment } = await serve(stack, kind, seed, {
    PLIMSOLL_PAGE_CACHE_MB: PAGE_CACHE_MB,
  });
  const page = await fetch(address + pathOf(0), { headers: { 'auth-token': TOKEN } });
  const bytes = (await page.arrayBuffer()).byteLength;
  const bare = await forkServer('servers/bare-http.ts', { bytes });
  stack.defer(() => bare.stop());
  const ask = (to: string, path: string) => () =>
    askWithWrk({
      address: to,
      connections: CONNECTIONS,
      seconds: bench.seconds,
      token: TOKEN,
      path,
    });
  const again = luaPath(accounts, '"2030-01-01%2000:00:00.000"');
  /** A range that ends elsewhere each time is a page that nobody asked for before. */
  const cold = (round: number) =>
    luaPath(
      accounts,
      `string.format("%04d-01-01%%20%02d:%02d:%02d.%03d", ${2030 + round}, n / 3600000,
         n / 60000 % 60, n / 1000 % 60, n % 1000)`,
    );
  const contestants = {
    bare: ask(bare.address, again),
    cold: (round: number) => ask(address, cold(round))(),
    again: ask(address, again),
  };
  if (kind === 'sqlite') {
    const { bare: ceiling, ...own } = await interleave(bench, contestants);
    const peer = { name: 'bare node:http', samples: ceiling };
    return [
      judge('operation 1, cold, SQLite', 'pages/s', own.cold, peer, GOALS.coldPageToBareHttp),
      judge(
        'operation 1, asked again, SQLite',
        'pages/s',
        own.again,
        peer,
        GOALS.repeatedPageToBareHttp,
      ),
    ];
  }
  const url = environment.DATABASE_URL ?? '';
  await fillPeer(url, accounts);
  const express = await forkServer('servers/express-pg.ts', { url });
  stack.defer(() => express.stop());
  const samples = await interleave(bench, {
    express: ask(express.address, again),
    cold: contestants.cold,
    again: contestants.again,
  });
  const peer = { name: 'Express + pg', samples: samples.express };
  return [
    judge('operation 1, cold, PostgreSQL', 'pages/s', samples.cold, peer, GOALS.coldPageToExpress),
    judge(
      'operation 1, asked again, PostgreSQL',
      'pages/s',
      samples.again,
      peer,
      GOALS.repeatedPageToExpress,
    ),
  ];
}

const pathOf = (account: number): string =>
  `/users/current/accounts/bench-${String(account).padStart(6, '0')}/historical-trades/2019-01-01%2000:00:00.000/2030-01-01%2000:00:00.000`;

const luaPath = (accounts: number, end: string): string =>
  `return string.format("/users/current/accounts/bench-%06d/historical-trades/2019-01-01%%2000:00:00.000/",
     n * 7919 % ${accounts}) .. ${end}`;

/** The same trades as rows, clustered by account and time as one would index them. */
async function fillPeer(url: string, accounts: number): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`
    create table peer_trade (account_id text, id text, close_time timestamp, open_time timestamp,
      type text, symbol text, volume double precision, open_price double precision,
      close_price double precision, pips double precision, profit double precision,
      gain double precision, duration_in_minutes int, comment text,
      primary key (account_id, close_time, id));
    insert into peer_trade
      select 'bench-' || lpad(a::text, 6, '0'), (5000000000 + t)::text,
        timestamp '2020-01-06' + t * interval '37 minutes' + interval '95 minutes',
        timestamp '2020-01-06' + t * interval '37 minutes', 'DEAL_TYPE_BUY', 'EURUSD', 0.1,
        1.08412, 1.08523, 11.1, (t * 7919 % 20001 - 9800) / 10000.0, 0.123, 95,
        'breakout of the range [tp]'
      from generate_series(0, ${accounts - 1}) a, generate_series(0, ${TRADES - 1}) t;
    analyze peer_trade`);
  await client.end();
}
