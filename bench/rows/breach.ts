import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { formatBrokerTime } from '../../src/domain/broker-time.ts';
import type { Database } from '../../src/storage/database.ts';
import { storeLiveAccounts } from '../data/live.ts';
import { accountId } from '../data/user.ts';
import { GOALS } from '../goals.ts';
import { HttpClient } from '../http-client.ts';
import { interleave, judge, percentile } from '../measure.ts';
import { labelOf, onDatabases } from '../on-databases.ts';
import type { Bench, BenchRow, Result } from '../row.ts';
import { serve } from '../servers/plimsoll.ts';

/** From the start of a snapshot's POST to the poller's answer, against one durable commit. */
export const breach: BenchRow = {
  name: 'breach',
  what: 'a breach seen by a waiting poller',
  run: onDatabases(runOn),
};

async function runOn(bench: Bench, kind: Database['kind']): Promise<Result> {
  await using stack = new AsyncDisposableStack();
  const each = bench.quick ? 50 : 200;
  const accounts = each * (bench.rounds + 1);
  const served = await serve(stack, kind, (database) => storeLiveAccounts(database, accounts, 3));
  const client = new Client(served.address);
  stack.defer(() => client.close());
  const commit = await commits(stack, kind, served.environment.DATABASE_URL);
  const first = Date.now() - 3_600_000;
  for (let index = 0; index < accounts; index += 1000) {
    const count = Math.min(1000, accounts - index);
    const rows = Array.from({ length: count }, (_, row) => snapshot(index + row, first, 100_000));
    await client.post(rows.join('\n'));
  }
  let account = 0;
  let sequenceNumber = 0;
  const samples = await interleave(bench, {
    commit: () =>
      p99(each, async () => {
        await pause();
        return commit();
      }),
    plimsoll: () =>
      p99(each, async () => {
        const poll = client.poll(sequenceNumber);
        await pause();
        const began = performance.now();
        const posted = client.post(snapshot(account, first + 60_000, 90_000));
        account += 1;
        const events = await poll;
        const took = performance.now() - began;
        await posted;
        sequenceNumber = events.at(-1)?.sequenceNumber ?? sequenceNumber;
        return took;
      }),
  });
  const name = `breach seen by a poller, p99, ${labelOf(kind)}`;
  const peer = { name: 'one durable commit, p99', samples: samples.commit };
  return judge(name, 'ms', samples.plimsoll, peer, GOALS.breachToCommit);
}

/** The poll must be waiting by the time of the breach; before a commit all is as quiet. */
const pause = (): Promise<void> => setTimeout(5);

async function p99(count: number, measure: () => Promise<number>): Promise<number> {
  const times: number[] = [];
  for (let number = 0; number < count; number += 1) times.push(await measure());
  return percentile(times, 0.99);
}

const snapshot = (account: number, timeMs: number, equity: number): string => {
  const brokerTime = formatBrokerTime(timeMs);
  return JSON.stringify({ accountId: accountId(account), brokerTime, balance: 100_000, equity });
};

/** Milliseconds of a commit of one row in the same kind of database on the same disk. */
async function commits(
  stack: AsyncDisposableStack,
  kind: Database['kind'],
  url: string | undefined,
): Promise<() => Promise<number>> {
  const timed = async (write: () => unknown): Promise<number> => {
    const began = performance.now();
    await write();
    return performance.now() - began;
  };
  if (kind === 'postgres') {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    stack.defer(() => client.end());
    await client.query('create table one_commit (body text)');
    const insert = { name: 'one', text: 'insert into one_commit values ($1)' };
    return () => timed(() => client.query({ ...insert, values: ['x'.repeat(100)] }));
  }
  const folder = await mkdtemp(join(tmpdir(), 'plimsoll-commit-'));
  const database = new DatabaseSync(join(folder, 'commit.db'));
  stack.defer(async () => {
    database.close();
    await rm(folder, { recursive: true });
  });
  database.exec('pragma journal_mode = wal; pragma synchronous = full; create table c (body)');
  const insert = database.prepare('insert into c values (?)');
  return () => timed(() => insert.run('x'.repeat(100)));
}

class Client {
  readonly #http = new HttpClient();
  readonly #address: string;

  constructor(address: string) {
    this.#address = address;
  }

  post(body: string): Promise<string> {
    return this.#http.post(`${this.#address}/users/current/snapshots`, body);
  }

  async poll(after: number): Promise<{ sequenceNumber: number }[]> {
    const path = `/users/current/drawdown-events/stream?previousSequenceNumber=${after}&wait=25`;
    return JSON.parse(await this.#http.get(this.#address + path)) as { sequenceNumber: number }[];
  }

  close(): void {
    this.#http.close();
  }
}
