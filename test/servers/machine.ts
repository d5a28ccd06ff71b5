import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, readlinkSync } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { endWithUs } from './end-with-us.ts';
import { until } from './until.ts';

const DISK_SIZE = '256M';
const NEEDED = ['/usr/sbin/mkfs.ext4', '/usr/bin/nsenter', '/usr/bin/unshare'];
/**
 * Nothing is written but what is synchronised, for as long as can be, and what is deleted makes the
 * file smaller again.
 */
export const MOUNT = 'loop,commit=300,discard';

const run = promisify(execFile);

/** Why this computer cannot have machines inside of it; false if it can. */
export async function whyNoMachines(): Promise<string | false> {
  const why = 'machines of their own need root, network namespaces, iproute2 and e2fsprogs';
  if (process.getuid?.() !== 0 || !NEEDED.every(existsSync)) return why;
  const trial = 'ip link add one type veth peer name other && tc qdisc add dev one root blackhole';
  return run('unshare', ['--net', '--mount', 'sh', '-c', trial]).then(
    () => false,
    () => why,
  );
}

/**
 * A machine inside of this one: a network and a disk that no other has, both of which can fail. It
 * is removed with its holder, with everything mounted and linked there.
 */
export class Machine {
  /** Its disk, as programs see it that run there. */
  readonly folder: string;
  readonly address: string;
  readonly #holder: ChildProcess;
  readonly #image: string;

  constructor(folder: string, name: string, address: string) {
    // Ends with its standard input, so also when this process is killed.
    this.#holder = spawn('unshare', ['--net', '--mount', 'cat'], {
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    endWithUs(this.#holder);
    this.folder = join(folder, name);
    this.#image = join(folder, `${name}.disk`);
    this.address = address;
  }

  /** Gives it its disk. */
  async start(): Promise<void> {
    await until(() => isApart(this.pid), `a machine at ${this.address}`);
    await mkdir(this.folder);
    await run('truncate', ['-s', DISK_SIZE, this.#image]);
    await run('mkfs.ext4', ['-q', '-F', this.#image]);
    await this.#mount();
    await this.run('ip', ['link', 'set', 'lo', 'up']);
  }

  get pid(): number {
    return this.#holder.pid ?? 0;
  }

  /** The command that runs another one there. */
  command(program: string, args: readonly string[]): [string, string[]] {
    return ['nsenter', ['--net', '--mount', `--target=${this.pid}`, program, ...args]];
  }

  async run(program: string, args: readonly string[]): Promise<void> {
    await run(...this.command(program, args));
  }

  /**
   * Keeps the state that a power cut would leave at this moment: unsynchronised writes are in the
   * memory of this computer, and not in the file of the disk.
   */
  async keepDisk(): Promise<void> {
    await run('cp', ['--sparse=always', this.#image, `${this.#image}.left`]);
  }

  /** Puts the disk in that was kept. No program may use it. */
  async returnToKeptDisk(): Promise<void> {
    await this.run('umount', [this.folder]);
    await rename(`${this.#image}.left`, this.#image);
    await this.#mount();
  }

  stop(): void {
    this.#holder.kill('SIGKILL');
  }

  #mount(): Promise<void> {
    return this.run('mount', ['-o', MOUNT, this.#image, this.folder]);
  }
}

function isApart(pid: number | undefined): boolean {
  try {
    return readlinkSync(`/proc/${pid}/ns/net`) !== readlinkSync('/proc/self/ns/net');
  } catch {
    return false;
  }
}
