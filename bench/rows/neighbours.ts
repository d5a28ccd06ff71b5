import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../src/storage/database.ts';
import { Client, newAccount, newUser } from '../../test/servers/plimsoll-process.ts';
import { writeStatements } from '../data/statements.ts';
import { storeUser, TOKEN } from '../data/user.ts';
import { GREEDY, type Greedy, type GreedyKind } from '../load/greedy-requests.ts';
import { heldOver, longestOf } from '../load/holds.ts';
import { makeNeighbour, Neighbour } from '../load/neighbour.ts';
import { median, percentile } from '../measure.ts';
import { onDatabases } from '../on-databases.ts';
import { peakBytesOf } from '../process-use.ts';
import type { Bench, BenchRow, Result } from '../row.ts';
import { serve } from '../servers/plimsoll.ts';

const IDLE_SECONDS = 3;
const SECONDS = 8;
/** Of a user beside whom another one sends the worst. */
const MOST_P99_MS = 100;
const MOST_WAIT_MS = 500;
/** Of one piece of work, by the buckets of the server's own histogram. */
const MOST_HOLD_MS = 50;
/** As docs/security.md states it. */
const MOST_MEGABYTES = 1000;
const SETTINGS = { PLIMSOLL_REQUESTS_PER_MINUTE: '0', PLIMSOLL_REFUSALS_PER_MINUTE: '0' };

/** One row for each kind of greed. */
export const neighbours: readonly BenchRow[] = GREEDY.map((kind) => ({
  name: `neighbours-${kind.name}`,
  what: `what a user waits while another one sends ${kind.what}`,
  run: onDatabases((bench, on) => runOn(bench, on, kind)),
}));

async function runOn(
  bench: Bench,
  on: Database['kind'],
  { name, atOnce, prepare, send }: GreedyKind,
): Promise<Result[]> {
  await using stack = new AsyncDisposableStack();
  const { address, server } = await serve(stack, on, storeUser, SETTINGS);
  const pid = server.process.pid ?? 0;
  const greedy: Greedy = await makeGreedy(address, bench);
  await prepare?.(greedy);
  const order = await makeNeighbour(new Client(address, TOKEN));
  const idle = await new Neighbour(order).during(sleep(IDLE_SECONDS * 1000));
  const heldBefore = await heldOver(address);
  resetPeak(pid);
  const beside = await new Neighbour(order).during(beGreedy(greedy, atOnce, send));
  const held = longestOf(heldBefore, await heldOver(address));
  const megabytes = peakBytesOf(pid) / 2 ** 20;
  bench.progress(`  ${name} on ${on}: ${beside.length} requests beside it, ${idle.length} without`);
  const what = `${name}, ${on}`;
  const idleP99 = percentile(idle, 0.99);
  return [
    against(`p99 beside ${what}`, 'ms', percentile(beside, 0.99), 'idle', idleP99, MOST_P99_MS),
    against(
      `worst wait beside ${what}`,
      'ms',
      Math.max(...beside),
      'idle',
      Math.max(...idle),
      MOST_WAIT_MS,
    ),
    against(`longest hold of the loop, ${what}`, 'ms', held, 'idle', median(idle), MOST_HOLD_MS),
    against(`peak memory, ${what}`, 'MB', megabytes, 'allowed', MOST_MEGABYTES, MOST_MEGABYTES),
  ];
}

async function makeGreedy(address: string, bench: Bench): Promise<Greedy> {
  const client = await newUser(address);
  const accountId = await newAccount(client, { brokerClock: { zone: 'UTC', shiftHours: 0 } });
  const [statement] = await writeStatements(tmpdir(), bench);
  return { client, address, accountId, statement: statement?.bytes ?? new Uint8Array() };
}

async function beGreedy(greedy: Greedy, atOnce: number, send: GreedyKind['send']): Promise<void> {
  const endMs = performance.now() + SECONDS * 1000;
  let turn = 0;
  const again = async (): Promise<void> => {
    while (performance.now() < endMs) {
      turn += 1;
      await send(greedy, turn);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, again));
}

/** proc(5): the peak of the resident memory is counted anew. */
const resetPeak = (pid: number): void => writeFileSync(`/proc/${pid}/clear_refs`, '5');

function against(
  name: string,
  unit: string,
  value: number,
  peer: string,
  peerValue: number,
  most: number,
): Result {
  const ratio = value / peerValue;
  return {
    ...{ name, value, unit, against: peer, againstValue: peerValue, ratio },
    ...{ spread: [ratio, ratio], goal: `≤ ${most} ${unit}`, met: value <= most },
  };
}
