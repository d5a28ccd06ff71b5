import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../src/storage/database.ts';
import { createWorld } from '../../test/matrix/world.ts';
import { Client } from '../../test/servers/plimsoll-process.ts';
import { fillUser } from '../../test/worst/fullest-user.ts';
import { type WorstRequest, worstRequests } from '../../test/worst/requests.ts';
import { storeUser, TOKEN } from '../data/user.ts';
import { heldOver, longestOf } from '../load/holds.ts';
import { makeNeighbour, Neighbour, USUAL_ASKS } from '../load/neighbour.ts';
import { median, percentile } from '../measure.ts';
import { onDatabases } from '../on-databases.ts';
import { peakBytesOf } from '../process-use.ts';
import type { Bench, BenchRow, Result } from '../row.ts';
import { serve } from '../servers/plimsoll.ts';
import {
  again,
  against,
  IDLE_SECONDS,
  MOST_HOLD_MS,
  MOST_MEGABYTES,
  MOST_P99_MS,
  MOST_WAIT_MS,
  resetPeak,
  SETTINGS,
} from './neighbours.ts';

const USERS = 10;
const AT_ONCE_EACH = 2;
/** What deletes waits for the end: a user who has nothing left asks for little. */
const DELETING_PART = 0.1;

/**
 * Ten full users send operations at their longest, at random, while an eleventh works as usual.
 * Prints what that one waited for each of its questions, and the others' answers by status, 0 for
 * those that were cut; `--minutes` says for how long.
 */
export const neighboursRandom: BenchRow = {
  name: 'neighbours-random',
  what: 'what a user waits while ten full ones send their worst at random',
  run: onDatabases(besideTen),
};

async function besideTen(bench: Bench, on: Database['kind']): Promise<Result[]> {
  await using stack = new AsyncDisposableStack();
  const settings = { ...SETTINGS, LOG_LEVEL: 'error' };
  const { address, server } = await serve(stack, on, storeUser, settings);
  const pid = server.process.pid ?? 0;
  const users: (readonly WorstRequest[])[] = [];
  while (users.length < USERS) {
    const world = await createWorld(address);
    await fillUser(world, bench.quick ? 0.01 : 0.1);
    users.push(worstRequests(world).filter(({ operation }) => operation.scope !== 'admin'));
  }
  const order = { ...(await makeNeighbour(new Client(address, TOKEN))), asks: USUAL_ASKS };
  const idle = await new Neighbour(order).during(sleep(IDLE_SECONDS * 1000));
  const before = await heldOver(address);
  resetPeak(pid);
  const heard: Record<number, number> = {};
  const startMs = Date.UTC(2026, 1, 1);
  const waits = await new Neighbour({ ...order, startMs }).during(
    Promise.all(users.map((requests) => sendAtRandom(requests, bench.minutes * 60, heard))),
  );
  bench.progress(`  ten users on ${on} for ${bench.minutes} min: ${JSON.stringify(heard)}`);
  bench.progress('| the other user | times | p50 | p99 | longest, ms | idle p50 | p99 | longest |');
  bench.progress('|---|---|---|---|---|---|---|---|');
  USUAL_ASKS.forEach((ask, place) => {
    const own = (all: number[]) => all.filter((_, n) => n % USUAL_ASKS.length === place);
    const figures = (all: number[]) =>
      [median(all), percentile(all, 0.99), Math.max(...all)].map((ms) => ms.toFixed(1));
    const cells = [ask, own(waits).length, ...figures(own(waits)), ...figures(own(idle))];
    bench.progress(`| ${cells.join(' | ')} |`);
  });
  const held = longestOf(before, await heldOver(address));
  const megabytes = peakBytesOf(pid) / 2 ** 20;
  const failed = Object.entries(heard).reduce(
    (sum, [status, count]) => (Number(status) >= 500 && status !== '503' ? sum + count : sum),
    0,
  );
  const what = `ten users at random, ${on}`;
  const [idleP99, idleWait] = [percentile(idle, 0.99), Math.max(...idle)];
  const [p99, wait] = [percentile(waits, 0.99), Math.max(...waits)];
  return [
    against(`p99 beside ${what}`, 'ms', p99, 'idle', idleP99, MOST_P99_MS),
    against(`worst wait beside ${what}`, 'ms', wait, 'idle', idleWait, MOST_WAIT_MS),
    against(`longest hold, ${what}`, 'ms', held, 'idle', median(idle), MOST_HOLD_MS),
    against(`peak memory, ${what}`, 'MB', megabytes, 'allowed', MOST_MEGABYTES, MOST_MEGABYTES),
    against(`failures, ${what}`, 'answers', failed, 'answers', waits.length, 0),
  ];
}

/** A file whose trades were recomputed meanwhile ends before its end, which fetch calls so. */
function wasCut(error: unknown): { status: number } {
  if (error instanceof TypeError && error.message === 'terminated') return { status: 0 };
  throw error;
}

/** Until the end is near, whatever does not delete. */
async function sendAtRandom(
  requests: readonly WorstRequest[],
  seconds: number,
  heard: Record<number, number>,
): Promise<void> {
  const lasting = requests.filter(({ operation }) => operation.method !== 'DELETE');
  const send = (among: readonly WorstRequest[]) => async (turn: number) => {
    const { status } = (await among[Math.floor(Math.random() * among.length)]
      ?.send(turn)
      .catch(wasCut)) ?? { status: 0 };
    heard[status] = (heard[status] ?? 0) + 1;
  };
  await again(seconds * (1 - DELETING_PART), AT_ONCE_EACH, send(lasting));
  await again(seconds * DELETING_PART, AT_ONCE_EACH, send(requests));
}
