import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../src/storage/database.ts';
import { createWorld } from '../../test/matrix/world.ts';
import { Client, newAccount, newUser } from '../../test/servers/plimsoll-process.ts';
import { fillUser } from '../../test/worst/fullest-user.ts';
import { worstRequests } from '../../test/worst/requests.ts';
import { writeStatements } from '../data/statements.ts';
import { storeUser, TOKEN } from '../data/user.ts';
import { GREEDY, type Greedy, type GreedyKind } from '../load/greedy-requests.ts';
import { heldOver, longestOf } from '../load/holds.ts';
import { makeNeighbour, Neighbour } from '../load/neighbour.ts';
import { median, percentile } from '../measure.ts';
import { onDatabases } from '../on-databases.ts';
import { loopMsOf, peakBytesOf } from '../process-use.ts';
import type { Bench, BenchRow, Result } from '../row.ts';
import { serve } from '../servers/plimsoll.ts';

export const IDLE_SECONDS = 3;
const SECONDS = 8;
/** Of a user beside whom another one sends the worst. */
export const MOST_P99_MS = 100;
export const MOST_WAIT_MS = 500;
/** Of one piece of work, by the buckets of the server's own histogram. */
export const MOST_HOLD_MS = 50;
/** As docs/security.md states it. */
export const MOST_MEGABYTES = 1000;
export const SETTINGS = { PLIMSOLL_REQUESTS_PER_MINUTE: '0', PLIMSOLL_REFUSALS_PER_MINUTE: '0' };

/** One row for each kind of greed, and one that goes through the table of operations. */
export const neighbours: readonly BenchRow[] = [
  ...GREEDY.map((kind) => ({
    name: `neighbours-${kind.name}`,
    what: `what a user waits while another one sends ${kind.what}`,
    run: onDatabases((bench, on) => runOn(bench, on, kind)),
  })),
  {
    name: 'neighbours-operations',
    what: 'what a user waits while a full one sends each operation at its longest',
    run: onDatabases(besideOperations),
  },
];

/** Of each operation. */
const SECONDS_EACH = 2;
const AT_ONCE = 4;

/** A line of the table of docs/security.md for each operation, and what was worst of all. */
async function besideOperations(bench: Bench, on: Database['kind']): Promise<Result[]> {
  await using stack = new AsyncDisposableStack();
  const { address, server } = await serve(stack, on, storeUser, {
    ...SETTINGS,
    LOG_LEVEL: 'error',
  });
  const pid = server.process.pid ?? 0;
  const world = await createWorld(address);
  await fillUser(world, bench.quick ? 0.05 : 1);
  const order = await makeNeighbour(new Client(address, TOKEN));
  const idle = await new Neighbour(order).during(sleep(IDLE_SECONDS * 1000));
  const worst = { p99: 0, wait: 0, held: 0, megabytes: 0 };
  let startMs = order.startMs ?? Date.UTC(2026, 1, 1);
  for (const { operation, send } of worstRequests(world)) {
    const before = await heldOver(address);
    resetPeak(pid);
    startMs += 86_400_000;
    const heard: Record<number, number> = {};
    const loopMs = loopMsOf(pid);
    const waits = await new Neighbour({ ...order, startMs }).during(
      again(SECONDS_EACH, AT_ONCE, async (turn) => {
        const { status } = await send(turn);
        heard[status] = (heard[status] ?? 0) + 1;
      }),
    );
    const p99 = percentile(waits, 0.99);
    const wait = Math.max(...waits);
    const held = longestOf(before, await heldOver(address));
    const megabytes = peakBytesOf(pid) / 2 ** 20;
    const sent = Object.values(heard).reduce((sum, count) => sum + count, 0);
    const eachMs = (loopMsOf(pid) - loopMs) / sent;
    const figures = [p99, wait, held, megabytes, eachMs].map((figure) => Math.round(figure));
    bench.progress(
      `| ${[operation.operationId, on, JSON.stringify(heard), ...figures].join(' | ')} |`,
    );
    worst.p99 = Math.max(worst.p99, p99);
    worst.wait = Math.max(worst.wait, wait);
    worst.held = Math.max(worst.held, held);
    worst.megabytes = Math.max(worst.megabytes, megabytes);
  }
  const what = `any operation, ${on}`;
  const [idleP99, idleWait] = [percentile(idle, 0.99), Math.max(...idle)];
  return [
    against(`p99 beside ${what}`, 'ms', worst.p99, 'idle', idleP99, MOST_P99_MS),
    against(`worst wait beside ${what}`, 'ms', worst.wait, 'idle', idleWait, MOST_WAIT_MS),
    against(`longest hold, ${what}`, 'ms', worst.held, 'idle', median(idle), MOST_HOLD_MS),
    against(
      `peak memory, ${what}`,
      'MB',
      worst.megabytes,
      'allowed',
      MOST_MEGABYTES,
      MOST_MEGABYTES,
    ),
  ];
}

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

const beGreedy = (greedy: Greedy, atOnce: number, send: GreedyKind['send']): Promise<void> =>
  again(SECONDS, atOnce, (turn) => send(greedy, turn));

export async function again(
  seconds: number,
  atOnce: number,
  send: (turn: number) => Promise<unknown>,
): Promise<void> {
  const endMs = performance.now() + seconds * 1000;
  let turn = 0;
  const one = async (): Promise<void> => {
    while (performance.now() < endMs) {
      turn += 1;
      await send(turn);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, one));
}

/** proc(5): the peak of the resident memory is counted anew. */
export const resetPeak = (pid: number): void => writeFileSync(`/proc/${pid}/clear_refs`, '5');

export function against(
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
