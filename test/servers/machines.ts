import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Machine } from './machine.ts';

/** For networks that nobody reaches from outside (RFC 2544). */
const NETWORK = '198.18';
const OURS = 254;

const run = promisify(execFile);

/** A way of packets: from one machine to another, where `undefined` is the computer around them. */
export type Way = { from: Machine | undefined; to: Machine | undefined };

/**
 * Machines inside of this computer, each linked with each other and with this one. On every such
 * way the kernel can be told to throw packets away: without any error, as with a cut cable.
 */
export class Machines {
  /** The kernel forgets a link some time after its machine is gone: no two have the same name. */
  static #count = 0;

  readonly all: readonly Machine[];
  readonly #folder: string;
  readonly #links: string;

  /** As many as asked for; throws where this computer can have none. */
  static async start(count: number): Promise<Machines> {
    const network = await freeNetwork();
    const folder = await mkdtemp(join(tmpdir(), 'plimsoll-machines-'));
    const machines = new Machines(folder, network, count);
    try {
      await Promise.all(machines.all.map((machine) => machine.start()));
      await machines.#linkAll(`${network}.${OURS}`);
    } catch (error) {
      // Else the test run would wait for those that are there.
      await machines.stop();
      throw error;
    }
    return machines;
  }

  private constructor(folder: string, network: string, count: number) {
    this.#folder = folder;
    this.#links = `pl${process.pid.toString(36)}x${Machines.#count++}x`;
    const numbers = Array.from({ length: count }, (_, index) => index + 1);
    this.all = numbers.map((n) => new Machine(folder, `m${n}`, `${network}.${n}`));
  }

  /** All ways between one machine and the others, and with `us` also those to and from here. */
  around(machine: Machine, { us }: { us: boolean }): Way[] {
    const others = [...this.all.filter((other) => other !== machine), ...(us ? [undefined] : [])];
    return others.flatMap((other) => bothWays(machine, other));
  }

  /** From now on, packets on these ways vanish. */
  async cut(ways: readonly Way[]): Promise<void> {
    await this.#each(ways, ['replace', 'blackhole']);
  }

  /** Packets arrive again; TCP repeats those sent in the meantime. */
  async mend(ways: readonly Way[]): Promise<void> {
    await this.#each(ways, ['replace', 'pfifo']);
  }

  async stop(): Promise<void> {
    for (const machine of this.all) machine.stop();
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #each(ways: readonly Way[], [verb, queue]: [string, string]): Promise<void> {
    await Promise.all(
      ways.map(async ({ from, to }) => {
        const device = from ? this.#deviceTo(to) : this.#ourDeviceTo(to);
        const args = ['qdisc', verb, 'dev', device, 'root', queue];
        await (from ? from.run('tc', args) : run('tc', args));
      }),
    );
  }

  async #linkAll(ours: string): Promise<void> {
    for (const [index, machine] of this.all.entries()) {
      await this.#linkWithUs(machine, ours);
      for (const other of this.all.slice(index + 1)) await this.#link(machine, other);
    }
  }

  async #link(one: Machine, other: Machine): Promise<void> {
    const [there, back] = [this.#deviceTo(other), this.#deviceTo(one)];
    const veth = ['link', 'add', there, 'type', 'veth', 'peer', 'name', back];
    await one.run('ip', [...veth, 'netns', String(other.pid)]);
    await raise(one, there, one.address, other.address);
    await raise(other, back, other.address, one.address);
  }

  async #linkWithUs(machine: Machine, ours: string): Promise<void> {
    const [here, there] = [this.#ourDeviceTo(machine), this.#deviceTo(undefined)];
    const veth = ['link', 'add', here, 'type', 'veth', 'peer', 'name', there];
    await run('ip', [...veth, 'netns', String(machine.pid)]);
    await raise(undefined, here, ours, machine.address);
    await raise(machine, there, machine.address, ours);
  }

  #deviceTo(machine: Machine | undefined): string {
    return machine ? `to${this.all.indexOf(machine)}` : 'us';
  }

  #ourDeviceTo(machine: Machine | undefined): string {
    return `${this.#links}${machine ? this.all.indexOf(machine) : ''}`;
  }
}

export const bothWays = (one: Machine | undefined, other: Machine | undefined): Way[] => [
  { from: one, to: other },
  { from: other, to: one },
];

async function raise(
  machine: Machine | undefined,
  device: string,
  address: string,
  peer: string,
): Promise<void> {
  const ip = (args: string[]) => (machine ? machine.run('ip', args) : run('ip', args));
  await ip(['address', 'add', address, 'peer', peer, 'dev', device]);
  await ip(['link', 'set', device, 'up']);
}

/** The first three numbers of addresses that no other test of this computer uses. */
async function freeNetwork(): Promise<string> {
  for (let tried = 0; tried < 256; tried += 1) {
    const network = `${NETWORK}.${(process.pid + tried) % 256}`;
    const { stdout } = await run('ip', ['route', 'show', 'root', `${network}.0/24`]);
    if (stdout.trim() === '') return network;
  }
  throw new Error(`All networks of ${NETWORK} are in use`);
}
