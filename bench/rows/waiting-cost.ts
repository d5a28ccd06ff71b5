import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { TOKEN } from '../data/user.ts';
import { GOALS } from '../goals.ts';
import type { Breaches } from '../load/breaches.ts';
import type { Polled, Pollers } from '../load/pollers.ts';
import { judge } from '../measure.ts';
import { cpuMsOf, residentBytesOf } from '../process-use.ts';
import type { Bench, Growth, Result } from '../row.ts';

/** PostgreSQL counts what an idle connection did within ten seconds (PGSTAT_IDLE_INTERVAL). */
const COUNTED_AFTER_MS = 11_000;
const QUIET_SECONDS = 60;
const ASKED_WITHOUT_WAITING = 2000;

/** Resident bytes of each who waits, in a server that held none before. */
export async function memoryOf(
  clients: Pollers,
  own: Polled,
  bare: Polled,
  size: number,
  label: string,
): Promise<Result> {
  const bytesEach = async (polled: Polled): Promise<number> => {
    const before = residentBytesOf(polled.pid);
    await clients.wait(polled, size, 0);
    const bytes = (residentBytesOf(polled.pid) - before) / size;
    await clients.leave(polled);
    return bytes;
  };
  const peer = { name: 'bare node:http', samples: [await bytesEach(bare)] };
  const name = `resident memory of a waiting poller, ${label}`;
  return judge(name, 'bytes', [await bytesEach(own)], peer, GOALS.waitingMemoryToBareHttp);
}

/**
 * CPU of the server for those who wait while nothing happens, the polls that end empty after 25
 * seconds and are asked anew included, against asking each second without waiting.
 */
export async function waitingCost(
  bench: Bench,
  { clients, polled, sequenceNumber }: Breaches,
  sizes: readonly number[],
  label: string,
): Promise<Result> {
  const seconds = bench.quick ? 5 : 10;
  const points: [number, number][] = [];
  for (const size of sizes) {
    await clients.wait(polled, size, sequenceNumber, { isSpread: true });
    await sleep(1000);
    const before = cpuMsOf(polled.pid);
    await sleep(seconds * 1000);
    const cpuMs = (cpuMsOf(polled.pid) - before) / seconds;
    const { emptyAnswers } = await clients.leave(polled);
    bench.progress(`  ${size} waiting: ${cpuMs} ms of CPU a second, ${emptyAnswers} asked again`);
    points.push([size, cpuMs]);
  }
  const [[few, fewMs] = [0, 0], [many, manyMs] = [0, 0]] = [points[0], points.at(-1)];
  const each = ((manyMs - fewMs) * 1000) / (many - few);
  const peer = { name: 'asking each second', samples: [await askingCost(polled)] };
  const growth: Growth = { of: `CPU while pollers wait, ${label}`, unit: 'ms/s', points };
  const name = `CPU of a waiting poller a second, ${label}`;
  return { ...judge(name, 'µs', [each], peer, GOALS.waitingToAskingEachSecond), growth: [growth] };
}

/** Microseconds of the server's CPU for an empty answer at once. */
async function askingCost({ address, pid, eventsPath }: Polled): Promise<number> {
  const before = cpuMsOf(pid);
  for (let asked = 0; asked < ASKED_WITHOUT_WAITING; asked += 1) {
    const path = `${address}${eventsPath}?previousSequenceNumber=0&wait=0`;
    const answer = await fetch(path, { headers: { 'auth-token': TOKEN } });
    await answer.arrayBuffer();
  }
  return ((cpuMsOf(pid) - before) * 1000) / ASKED_WITHOUT_WAITING;
}

/** Transactions that more pollers cost from the breach on, against a query each. */
export async function queriesOf(
  bench: Bench,
  own: Breaches,
  size: number,
  url: string | undefined,
): Promise<Result[]> {
  if (!url) return [];
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const count = async (): Promise<number> => {
    await sleep(COUNTED_AFTER_MS);
    const { rows } = await client.query(
      `select xact_commit + xact_rollback as count from pg_stat_database
       where datname = current_database()`,
    );
    return Number(rows[0]?.count);
  };
  const transactionsOf = async (waiting: number): Promise<number> => {
    await own.clients.wait(own.polled, waiting, own.sequenceNumber, { waitSeconds: QUIET_SECONDS });
    const before = await count();
    await own.tell();
    const transactions = (await count()) - before;
    await own.clients.leave(own.polled);
    bench.progress(`  ${waiting} told: ${transactions} transactions in ${COUNTED_AFTER_MS} ms`);
    return transactions;
  };
  const [few, many] = [await transactionsOf(1), await transactionsOf(size)];
  await client.end();
  const peer = { name: 'a query each', samples: [1] };
  const name = 'transactions of a poller told, PostgreSQL';
  return [judge(name, '', [(many - few) / (size - 1)], peer, GOALS.waitingToQueryEach)];
}
