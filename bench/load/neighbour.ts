import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type Client, newAccount } from '../../test/servers/plimsoll-process.ts';
import { failsAtEnd } from '../forked.ts';
import type { NeighbourOrder } from './neighbour-task.ts';

/** What it asks for, in turns: one who only follows an account, and one who works as usual. */
export const NEIGHBOUR_ASKS = ['tracker', 'snapshots', 'events'] as const;
export const USUAL_ASKS = [
  ...NEIGHBOUR_ASKS,
  ...(['account', 'overview', 'chart', 'statistics', 'deals', 'incidents'] as const),
];
export type NeighbourAsk = (typeof USUAL_ASKS)[number];

/** An account with a tracker to follow. */
export async function makeNeighbour(client: Client): Promise<NeighbourOrder> {
  const accountId = await newAccount(client, { brokerClock: { zone: 'UTC', shiftHours: 0 } });
  const tracker = { name: 'daily', period: 'day', relativeDrawdownThreshold: 0.05 };
  const path = `/users/current/accounts/${accountId}/trackers`;
  const { body } = await client.post<{ id: string }>(path, tracker);
  const { address, token = '' } = client;
  return { address, token, accountId, trackerId: body.id, asks: NEIGHBOUR_ASKS };
}

/** A user in a process of its own, whose waits are nobody else's. */
export class Neighbour {
  readonly #process: ChildProcess;
  readonly #ready: Promise<unknown>;
  readonly #gone: Promise<never>;

  constructor(order: NeighbourOrder) {
    const file = fileURLToPath(new URL('./neighbour-task.ts', import.meta.url));
    this.#process = fork(file, [JSON.stringify(order)]);
    this.#ready = once(this.#process, 'message');
    this.#gone = failsAtEnd(this.#process, 'the neighbour ended before it was told to');
  }

  /** Milliseconds that it waited for each of its requests while something went on. */
  async during(work: Promise<unknown>): Promise<number[]> {
    await Promise.race([this.#ready, this.#gone]);
    await Promise.race([work, this.#gone]);
    const waits = once(this.#process, 'message');
    this.#process.send('stop');
    const [found] = await Promise.race([waits, this.#gone]);
    return found as number[];
  }
}
