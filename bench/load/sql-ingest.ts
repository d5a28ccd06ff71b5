/**
 * What one would write first on PostgreSQL: `roll-up` copies snapshots to a table and rolls them up
 * to hours and to three trackers an account, `hours` leaves the trackers out; `locks` locks the
 * accounts' rows, reads them, and writes their states, hours and trackers back. Four connections,
 * 1 000 snapshots a transaction, no HTTP.
 */
import pg from 'pg';
import { accountId } from '../data/user.ts';
import type { Posted } from './post-snapshots.ts';
import { sendLast } from './send-last.ts';

export type SqlIngestSettings = {
  url: string;
  way: 'roll-up' | 'hours' | 'locks';
  seconds: number;
  accounts: number;
  startMs: number;
};

const ROWS = 1000;
const WRITERS = 4;
const STEP_MS = 10_000;
const HOUR_MS = 3_600_000;

const settings = JSON.parse(process.argv[2] ?? '{}') as SqlIngestSettings;
const { url, way, accounts, startMs } = settings;
const slices = Math.floor(accounts / ROWS);

const TABLES = `
  create table if not exists peer_snapshot (account_id text, at_ms bigint, balance bigint, equity bigint)
    with (autovacuum_enabled = false);
  create table if not exists peer_hour (account_id text, hour_ms bigint, low bigint, high bigint,
    total bigint, samples bigint, last bigint, primary key (account_id, hour_ms));
  create table if not exists peer_account (account_id text primary key, at_ms bigint,
    balance bigint, equity bigint);
  create table if not exists peer_tracker (tracker_id text primary key, account_id text,
    period text, loss float8, target float8);
  create index if not exists peer_tracker_account on peer_tracker (account_id);
  create table if not exists peer_period (tracker_id text, start_ms bigint, baseline bigint,
    low bigint, high bigint, primary key (tracker_id, start_ms));
  create table if not exists peer_event (tracker_id text, start_ms bigint,
    primary key (tracker_id, start_ms))`;

/** As trackersOf has them. */
const TRACKERS = `insert into peer_tracker
  select id || '-' || period, id, period, 0.05, 0.1
  from unnest($1::text[]) as a (id), unnest(array['day', 'month', 'lifetime']) as p (period)
  on conflict do nothing`;

const UNNEST = `unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[]) as s (a, t, b, e)`;
const HOURS = `insert into peer_hour
  select a, t - t % ${HOUR_MS}, min(e), max(e), sum(e), count(*), max(e) from ${UNNEST} group by 1, 2
  order by 1
  on conflict (account_id, hour_ms) do update set low = least(peer_hour.low, excluded.low),
    high = greatest(peer_hour.high, excluded.high), total = peer_hour.total + excluded.total,
    samples = peer_hour.samples + excluded.samples, last = excluded.last`;

/**
 * The worst and the best of each running period, and an event for those that exceed a threshold.
 */
const PERIODS = `with changed as (
    insert into peer_period
    select tracker_id, case period when 'day' then t - t % ${24 * HOUR_MS} when 'month'
        then (extract(epoch from date_trunc('month', to_timestamp(t / 1000.0))) * 1000)::bigint
        else 0 end, min(e), min(e), max(e)
    from ${UNNEST} join peer_tracker on account_id = a group by 1, 2 order by 1
    on conflict (tracker_id, start_ms) do update set low = least(peer_period.low, excluded.low),
      high = greatest(peer_period.high, excluded.high)
      where excluded.low < peer_period.low or excluded.high > peer_period.high
    returning *
  ) insert into peer_event select tracker_id, start_ms
    from changed join peer_tracker using (tracker_id)
    where baseline - low > baseline * loss or high - baseline > baseline * target
    on conflict do nothing`;

const STORE = `insert into peer_snapshot select * from ${UNNEST}`;

const STATEMENTS: Record<SqlIngestSettings['way'], readonly [name: string, text: string][]> = {
  'roll-up': [
    ['store', STORE],
    ['hours', HOURS],
    ['periods', PERIODS],
  ],
  hours: [
    ['store', STORE],
    ['hours', HOURS],
  ],
  locks: [
    [
      'lock',
      `select * from peer_account where account_id = any ($1) order by account_id for update`,
    ],
    [
      'states',
      `insert into peer_account select * from ${UNNEST} order by 1
       on conflict (account_id) do update set at_ms = excluded.at_ms,
         balance = excluded.balance, equity = excluded.equity`,
    ],
    ['hours', HOURS],
    ['periods', PERIODS],
  ],
};

const began = performance.now();
let snapshots = 0;
let batch = 0;

async function write(client: pg.Client): Promise<void> {
  while (performance.now() < began + settings.seconds * 1000) {
    const slice = batch % slices;
    const timeMs = startMs + (1 + Math.floor(batch / slices)) * STEP_MS;
    batch += 1;
    const rows = Array.from({ length: ROWS }, (_, row) => row);
    const values = [
      rows.map((row) => accountId(slice * ROWS + row)),
      rows.map(() => timeMs),
      rows.map(() => 1_000_000_000),
      rows.map((row) => 1_001_000_000 + ((row * 7919 + batch) % 1000) * 100),
    ];
    await client.query('begin');
    for (const [name, text] of STATEMENTS[way]) {
      await client.query({ name, text, values: name === 'lock' ? values.slice(0, 1) : values });
    }
    await client.query('commit');
    snapshots += ROWS;
  }
}

const clients = Array.from({ length: WRITERS }, () => new pg.Client({ connectionString: url }));
await Promise.all(clients.map((client) => client.connect()));
await clients[0]?.query(TABLES);
await clients[0]?.query(TRACKERS, [Array.from({ length: accounts }, (_, row) => accountId(row))]);
await Promise.all(clients.map(write));
const seconds = (performance.now() - began) / 1000;
// What is left of it must not burden who comes next.
await clients[0]?.query('checkpoint');
await Promise.all(clients.map((client) => client.end()));
const nextMs = startMs + (1 + Math.ceil(batch / slices)) * STEP_MS;
const { user, system } = process.cpuUsage();
const cpuMs = (user + system) / 1000;
sendLast({ snapshots, refused: 0, seconds, nextMs, cpuMs } satisfies Posted);
