import { setTimeout as sleep } from 'node:timers/promises';
import { DAY_MS } from '../../src/domain/broker-time.ts';
import type { Database } from '../../src/storage/database.ts';
import { Client, newUser } from '../../test/servers/plimsoll-process.ts';
import { storeManyAccounts } from '../data/copies.ts';
import { bytesOf, bytesOfTable, GROWING, rowsOf, tidy } from '../data/stored-size.ts';
import { TOKEN } from '../data/user.ts';
import { makeNeighbour, Neighbour } from '../load/neighbour.ts';
import {
  ACTIVE_HOURS,
  lastHourMs,
  liveThrough,
  type Month,
  monthsOf,
  sendLive,
} from '../load/year.ts';
import { brief, judge, median, percentile } from '../measure.ts';
import { labelOf, onDatabases } from '../on-databases.ts';
import type { Bench, BenchRow, Result } from '../row.ts';
import { type Stored, start, store } from '../servers/plimsoll.ts';

const ACCOUNTS = 5000;
const TRACKERS = 1;
const KEPT_DAYS = 90;
const MONTHS = 12;
/**
 * With --quick: a server is started anew for each part, and lives through a fifth of its days. A
 * part is shorter than what is kept, or what is sent at its beginning would be old at once.
 */
const QUICKLY = { parts: 6, everyDays: 5 };
const WHOLLY = { parts: MONTHS, everyDays: 1 };
/** That accounts send before somebody looks whether old data have left. */
const LIVE_SECONDS = 2;
const LOOK_EVERY_MS = 100;
const MEGABYTE = 2 ** 20;
const MOST_GROWTH = 1.1;
const MOST_P99_MS = 100;
const MOST_WAIT_MS = 500;
/** What docs/operations.md says of a year of an account that is open for 24 hours, 260 days. */
const ROWS_A_YEAR = { equity_bucket: 24 * 260, period_statistics: 3 * 260 };
const DOCUMENTED_MEGABYTES = { sqlite: 0.7 + 0.3, postgres: 1.2 + 0.4 };

const KEPT: Record<string, string> = {
  PLIMSOLL_KEEP_DAYS: ['hours', 'periods', 'evidence', 'events', 'audit']
    .map((kind) => `${kind}=${KEPT_DAYS}`)
    .join(),
};

/** A year of accounts of which a quarter is kept: its size is steady, and nobody waits for that. */
export const growthYear: BenchRow = {
  name: 'growth-year',
  what: `a year of 5 000 accounts, ${ACTIVE_HOURS.length} hours a day, ${KEPT_DAYS} days kept`,
  run: onDatabases(runOn),
};

type Firm = { accounts: number; lastAccount: number; seconds: number };
type Lived = { bytes: number; waits: number[] };

async function runOn(bench: Bench, kind: Database['kind']): Promise<Result[]> {
  await using stack = new AsyncDisposableStack();
  const accounts = Math.ceil(ACCOUNTS * bench.share);
  const seconds = Math.min(LIVE_SECONDS, bench.seconds);
  let lastAccount = 0;
  const stored = await store(stack, kind, async (database) => {
    lastAccount = (await storeManyAccounts(database, accounts, TRACKERS)).number + accounts - 1;
  });
  bench.progress(`| month | on disk | ${GROWING.join(' | ')} | p50 | p99 | longest wait |`);
  const lived: Lived[] = [];
  for (const month of monthsOf(bench.quick ? QUICKLY : WHOLLY)) {
    const waits = await liveMonth(stored, { accounts, lastAccount, seconds }, month);
    await tidy(stored);
    const bytes = await bytesOf(stored);
    lived.push({ bytes, waits });
    const rows = await Promise.all(GROWING.map((table) => rowsOf(stored, table)));
    const times = [median(waits), percentile(waits, 0.99), Math.max(...waits)];
    const cells = [
      ...[month.number, `${brief(bytes / MEGABYTE)} MB`, ...rows.map(brief)],
      ...times.map((ms) => `${brief(ms)} ms`),
    ];
    bench.progress(`| ${cells.join(' | ')} |`);
  }
  const rowBytes = new Map<string, number>();
  for (const table of GROWING)
    rowBytes.set(table, (await bytesOfTable(stored, table)) / (await rowsOf(stored, table)));
  const told = [...rowBytes].map(([table, bytes]) => `${table} ${brief(bytes)}`);
  bench.progress(`  bytes a row with its indexes: ${told.join(', ')}`);
  return resultsOf(kind, lived, rowBytes);
}

/**
 * A life of the server, at the end of a month: old data leave first, while accounts send and a user
 * looks on, for as long as that user waited. Then the days of the month come as fast as they are
 * taken.
 */
async function liveMonth(
  stored: Stored,
  { accounts, lastAccount, seconds }: Firm,
  month: Month,
): Promise<number[]> {
  await using life = new AsyncDisposableStack();
  const { address } = await start(life, stored, { ...KEPT, ...clockAt(month.endMs) });
  const neighbour = new Neighbour({
    ...(await makeNeighbour(await newUser(address))),
    startMs: month.startMs,
  });
  const before = month.endMs - KEPT_DAYS * DAY_MS;
  const waits = await neighbour.during(
    (async () => {
      do await sendLive(address, accounts, month, seconds);
      while (await hasOld(stored, lastAccount, before));
    })(),
  );
  await liveThrough(new Client(address, TOKEN), accounts, month);
  while (!(await isStored(stored, lastAccount, month))) await sleep(LOOK_EVERY_MS);
  return waits;
}

/** For a process whose clock shows that time when it starts, and goes on from there. */
function clockAt(timeMs: number): Record<string, string> {
  const behindMs = Date.now() - timeMs;
  const code = `((now)=>{Date.now=()=>now()-${behindMs}})(Date.now)`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}` };
}

async function has({ database }: Stored, table: string, condition: string): Promise<boolean> {
  const sql = `select 1 as found from ${table} where ${condition} limit 1`;
  return (await database.get(sql)) !== undefined;
}

/**
 * Whether anything is left that is to go; accounts are gone through in the order of their numbers.
 */
async function hasOld(stored: Stored, lastAccount: number, before: number): Promise<boolean> {
  const old = `account_number = ${lastAccount} and start_time_ms < ${before}`;
  return (
    (await has(stored, 'equity_bucket', old)) ||
    (await has(stored, 'period_statistics', old)) ||
    (await has(stored, 'audit_entry', `at_ms < ${before}`))
  );
}

/** Whether the last hours of a month are stored, and its events sealed. */
async function isStored(stored: Stored, lastAccount: number, month: Month): Promise<boolean> {
  const last = `account_number = ${lastAccount} and start_time_ms = ${lastHourMs(month)}`;
  return (
    (await has(stored, 'equity_bucket', last)) &&
    (await has(stored, 'seal_head', 'last_number = (select last_number from event_head)'))
  );
}

function resultsOf(
  kind: Database['kind'],
  lived: readonly Lived[],
  rowBytes: ReadonlyMap<string, number>,
): Result[] {
  const label = labelOf(kind);
  const [half, whole] = [lived[lived.length / 2 - 1], lived.at(-1)].map(
    (each) => (each?.bytes ?? Number.NaN) / MEGABYTE,
  );
  const waits = lived.flatMap((month) => month.waits);
  const row = (
    what: string,
    unit: string,
    value: number,
    against: string,
    peer: number,
    most = 1,
  ) =>
    judge(`${what}, ${label}`, unit, [value], { name: against, samples: [peer] }, { atMost: most });
  const bytes = Object.entries(ROWS_A_YEAR).map(
    ([table, rows]) => rows * (rowBytes.get(table) ?? Number.NaN),
  );
  const megabytes = bytes.reduce((sum, each) => sum + each, 0) / MEGABYTE;
  const documented = DOCUMENTED_MEGABYTES[kind];
  return [
    row('on disk after a year', 'MB', whole ?? 0, 'after half a year', half ?? 0, MOST_GROWTH),
    row('p99 of a user beside it', 'ms', percentile(waits, 0.99), 'at most', MOST_P99_MS),
    row('longest wait of that user', 'ms', Math.max(...waits), 'at most', MOST_WAIT_MS),
    row('hours and periods of an account', 'MB a year', megabytes, 'documented', documented, 1.2),
  ];
}
