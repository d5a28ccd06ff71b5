/**
 * npm run soak -- [--on postgres] [--minutes 240] [--accounts 300] [--every 2] [--svg FILE]
 *
 * Servers at a moderate rate for hours, one on SQLite, two on PostgreSQL: draws what they hold, and
 * fails where that grew in the last three quarters.
 */
import { readdirSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { formatBrokerTime } from '../src/domain/broker-time.ts';
import { Client, newAccount, newUser } from '../test/servers/plimsoll-process.ts';
import { metricOf } from '../test/servers/server-metrics.ts';
import { bytesOf } from './data/stored-size.ts';
import { median } from './measure.ts';
import { residentBytesOf } from './process-use.ts';
import { serve, start, UNBOUNDED } from './servers/plimsoll.ts';
import { type Course, drawSoak } from './soak-chart.ts';

const { values } = parseArgs({
  options: {
    on: { type: 'string', default: 'sqlite' },
    minutes: { type: 'string', default: '240' },
    accounts: { type: 'string', default: '300' },
    every: { type: 'string', default: '2' },
    svg: { type: 'string' },
  },
});
const kind = values.on === 'postgres' ? 'postgres' : 'sqlite';
const [minutes, accounts, everySeconds] = [values.minutes, values.accounts, values.every].map(
  Number,
) as [number, number, number];
const SAMPLES = 240;
const MEGABYTE = 1_000_000;
/** Growth that counts as none: a part of what was there, and what a collector leaves lying. */
const FLAT = { part: 0.1, least: { MB: 20, '': 5 } } as const;
const TRACKERS = [
  { name: 'daily loss', period: 'day', relativeDrawdownThreshold: 0.01 },
  { name: 'weekly loss', period: 'week', absoluteDrawdownThreshold: 900 },
  { name: 'target', period: 'lifetime', relativeProfitThreshold: 0.2 },
];
/** What each round reads, as dashboards do. */
const READS = [
  'accounts-overview',
  'incidents',
  'drawdown-events/stream?wait=0',
  'accounts?limit=100',
];

await using stack = new AsyncDisposableStack();
const settings = { PLIMSOLL_QUOTAS: UNBOUNDED };
const stored = await serve(stack, kind, async () => {}, settings);
const servers = [
  stored.server,
  ...(kind === 'postgres' ? [await start(stack, stored, settings)] : []),
];
const user = await newUser(stored.address);
const readers = servers.map(({ address }) => new Client(address, user.token));
const ids: string[] = [];
for (let count = 0; count < accounts; count += 1) {
  const id = await newAccount(user, { brokerClock: { zone: 'UTC', shiftHours: 0 } });
  for (const tracker of TRACKERS)
    await user.post(`/users/current/accounts/${id}/trackers`, tracker);
  ids.push(id);
}
const equities = ids.map(() => 100_000);
const courses: Course[] = servers.flatMap((_, place) => {
  const of = servers.length > 1 ? ` ${place + 1}` : '';
  return [
    { of: `resident memory${of}`, unit: 'MB', points: [] },
    { of: `array buffers and other memory outside the heap${of}`, unit: 'MB', points: [] },
    { of: `descriptors${of}`, unit: '', points: [] },
  ];
});
const size: Course = { of: 'database', unit: 'MB', points: [] };
const told = { rounds: 0, rows: 0, failed: 0 };

const beganMs = performance.now();
const endMs = beganMs + minutes * 60_000;
const sampleMs = (endMs - beganMs) / SAMPLES;
for (let dueMs = beganMs, sampleAtMs = beganMs; performance.now() < endMs; ) {
  await round();
  if (performance.now() >= sampleAtMs) {
    await sample();
    sampleAtMs += sampleMs;
  }
  dueMs = Math.max(dueMs + everySeconds * 1000, performance.now());
  await sleep(dueMs - performance.now());
}

/** A snapshot of each account, some with a deal, and what dashboards ask meanwhile. */
async function round(): Promise<void> {
  const brokerTime = formatBrokerTime(Date.now());
  const rows = ids.map((accountId, place) => {
    const equity = Math.max(50_000, (equities[place] ?? 0) + (Math.random() - 0.5) * 100);
    equities[place] = equity;
    return { accountId, brokerTime, balance: 100_000, equity: Math.round(equity * 100) / 100 };
  });
  const reader = readers[told.rounds % readers.length];
  const asked = [
    user.post('/users/current/snapshots', rows),
    ...READS.map((path) => reader?.get(`/users/current/${path}`)),
    reader?.get(
      `/users/current/accounts/${ids[told.rounds % ids.length]}/equity-chart?realTime=true`,
    ),
  ];
  const answers = await Promise.allSettled(asked);
  told.rounds += 1;
  told.rows += rows.length;
  told.failed += answers.filter(
    (each) => each.status === 'rejected' || (each.value?.status ?? 0) >= 400,
  ).length;
}

async function sample(): Promise<void> {
  const minute = (performance.now() - beganMs) / 60_000;
  for (const [place, { process: child, address }] of servers.entries()) {
    const pid = child.pid ?? 0;
    const outside = (await metricOf(address, 'nodejs_external_memory_bytes')) ?? 0;
    const open = readdirSync(`/proc/${pid}/fd`).length;
    const now = [residentBytesOf(pid) / MEGABYTE, outside / MEGABYTE, open];
    for (const [row, value] of now.entries())
      courses[place * 3 + row]?.points.push([minute, value]);
  }
  size.points.push([minute, (await bytesOf(stored)) / MEGABYTE]);
}

/** Medians of the second and of the last quarter: the first is for warming up. */
function quarters({ points }: Course): [number, number] {
  const all = points.map(([, value]) => value);
  const quarter = Math.floor(all.length / 4);
  return [median(all.slice(quarter, 2 * quarter)), median(all.slice(-quarter))];
}

const rate = Math.round(told.rows / (minutes * 60));
console.log(`${kind}, ${minutes} minutes, ${accounts} accounts, ${rate} snapshots a second:`);
console.log(`${told.rounds} rounds, ${told.failed} requests failed`);
for (const course of [...courses, size]) {
  const [second, last] = quarters(course);
  const least = FLAT.least[course.unit];
  const grew = course !== size && last - second > Math.max(least, second * FLAT.part);
  if (grew) process.exitCode = 1;
  const of = `${course.of}: ${second.toFixed(1)} ${course.unit} in the second quarter`;
  console.log(`${of}, ${last.toFixed(1)} in the last${grew ? ': it GREW' : ''}`);
}
if (values.svg) writeFileSync(values.svg, drawSoak([...courses, size]));
