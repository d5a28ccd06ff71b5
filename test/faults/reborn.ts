import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { type PlimsollProcess, startPlimsoll } from '../servers/plimsoll-process.ts';
import { freePort } from './free-port.ts';

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

  async die(how: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    if (how === 'SIGKILL') await this.#process?.kill();
    else assert.equal(await this.#process?.stop(), 0, 'SIGTERM ends it well');
    await this.start();
  }

  /** Stops it in the middle of whatever it does; returns how it goes on. */
  pause(): () => void {
    const paused = this.#process?.process;
    paused?.kill('SIGSTOP');
    return () => paused?.kill('SIGCONT');
  }

  async stop(): Promise<void> {
    await this.#process?.kill();
  }
}

/** Starts a process for each of `names`; after the test they are killed, then `close` is called. */
export async function startReborn(
  t: TestContext,
  names: readonly string[],
  { environment, close }: { environment: Record<string, string>; close: () => Promise<void> },
): Promise<Reborn[]> {
  const processes: Reborn[] = [];
  t.after(async () => {
    for (const one of processes) await one.stop();
    await close();
  });
  for (const roles of names) {
    const one = new Reborn(roles, { ...environment, PORT: String(await freePort()) });
    await one.start();
    processes.push(one);
  }
  return processes;
}
