import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { freePort } from '../servers/free-ports.ts';
import { type PlimsollProcess, startPlimsoll } from '../servers/plimsoll-process.ts';
import { until } from '../servers/until.ts';

/** A process that can be killed and started again on the same port. */
export class Reborn {
  readonly roles: string;
  readonly #environment: Record<string, string>;
  #process: PlimsollProcess | undefined;
  address = '';

  constructor(roles: string, environment: Record<string, string>) {
    this.roles = roles;
    this.#environment = { ...environment, PLIMSOLL_ROLES: roles, LOG_LEVEL: 'fatal' };
  }

  async start(): Promise<void> {
    this.#process = await startPlimsoll(this.#environment);
    this.address = this.#process.address;
  }

  /** `isHard`: it may lack things for a clean end, so it gives up after ten seconds. */
  async die(how: 'SIGKILL' | 'SIGTERM', { isHard = false } = {}): Promise<void> {
    if (how === 'SIGKILL') await this.#process?.kill();
    else {
      const code = await this.#process?.stop();
      assert.ok(code === 0 || (isHard && code === 1), `SIGTERM ends it well, not with ${code}`);
    }
    await this.start();
  }

  /** Once it reports that all its work is running. */
  async ready(): Promise<void> {
    const isReady = (): Promise<boolean> =>
      fetch(`${this.address}/health/ready`).then(
        ({ ok }) => ok,
        () => false,
      );
    await until(isReady, `a process that is ready at ${this.address}`);
  }

  /** Stops it in the middle of its work; returns how to continue it. */
  pause(): () => void {
    const paused = this.#process?.process;
    paused?.kill('SIGSTOP');
    return () => paused?.kill('SIGCONT');
  }

  async stop(): Promise<void> {
    await this.#process?.kill();
  }
}

type RebornOptions = {
  environment: Record<string, string>;
  /** Additional settings of each process, in their order. */
  each?: readonly Record<string, string>[];
  close: () => Promise<void>;
};

/** Starts a process for each of `names`; after the test they are killed, then `close` is called. */
export async function startReborn(
  t: TestContext,
  names: readonly string[],
  { environment, close, each = [] }: RebornOptions,
): Promise<Reborn[]> {
  const processes: Reborn[] = [];
  t.after(async () => {
    for (const one of processes) await one.stop();
    await close();
  });
  for (const [place, roles] of names.entries()) {
    const own = { ...each[place], PORT: String(await freePort()) };
    const one = new Reborn(roles, { ...environment, ...own });
    await one.start();
    processes.push(one);
  }
  return processes;
}
