import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { metricOf } from '../../test/servers/server-metrics.ts';
import { failsAtEnd, forkServer } from '../forked.ts';
import type { PollerOrder, PollerReport } from './wait-for-events.ts';

type Wait = Extract<PollerOrder, { kind: 'wait' }>;

const LOOK_AGAIN_MS = 20;

/** Whoever is polled: pollers ask for `eventsPath`, and are told by a POST to `postPath`. */
export type Polled = { address: string; pid: number; eventsPath: string; postPath: string };

/** Clients that wait for events, all of them in a process of its own. */
export class Pollers {
  readonly #process: ChildProcess;
  readonly #gone: Promise<never>;

  private constructor(process: ChildProcess) {
    this.#process = process;
    this.#gone = failsAtEnd(process, 'the pollers ended');
  }

  static async start(stack: AsyncDisposableStack): Promise<Pollers> {
    const started = await forkServer('load/wait-for-events.ts', {});
    stack.defer(() => started.stop());
    return new Pollers(started.process);
  }

  /** So many connect and ask for events after a number; returns when the server holds them all. */
  async wait(
    polled: Polled,
    pollers: number,
    after: number,
    { waitSeconds = 25, isSpread = false }: Partial<Pick<Wait, 'waitSeconds' | 'isSpread'>> = {},
  ): Promise<void> {
    const path = `${polled.eventsPath}?previousSequenceNumber=${after}`;
    const { port } = new URL(polled.address);
    const wait = { port: Number(port), path, pollers, waitSeconds, isSpread };
    await this.#order({ kind: 'wait', ...wait });
    // Of those that are spread some are asking again at any moment.
    while (!isSpread && (await waitingAt(polled.address)) < pollers) {
      await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
    }
  }

  /** Posts, and returns when the last poller has its answer. */
  post({ address, postPath }: Polled, body: string): Promise<PollerReport> {
    const port = Number(new URL(address).port);
    return this.#order({ kind: 'post', port, path: postPath, body });
  }

  /** All disconnect, and the server knows. */
  async leave(polled: Polled): Promise<PollerReport> {
    const report = await this.#order({ kind: 'leave' });
    while ((await waitingAt(polled.address)) > 0) {
      await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
    }
    return report;
  }

  async #order(order: PollerOrder): Promise<PollerReport> {
    const report = once(this.#process, 'message');
    this.#process.send(order);
    const [first] = await Promise.race([report, this.#gone]);
    return first as PollerReport;
  }
}

const waitingAt = async (address: string): Promise<number> =>
  (await metricOf(address, 'plimsoll_waiting_pollers')) ?? Number.NaN;
