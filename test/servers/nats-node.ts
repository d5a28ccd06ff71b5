import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { endWithUs } from './end-with-us.ts';
import { heldStill } from './held-still.ts';
import type { Machine } from './machine.ts';

type Parts = {
  /** The program, and its settings. */
  server: string;
  file: string;
  name: string;
  host: string;
  port: number;
  /** Its own reports. */
  http: number;
  /** Where it runs; without it, on this computer. */
  machine: Machine | undefined;
};

/** One server of a cluster, and what can happen to it. */
export class NatsNode {
  readonly name: string;
  readonly host: string;
  readonly port: number;
  readonly machine: Machine | undefined;
  readonly #server: string;
  readonly #file: string;
  readonly #http: number;
  #process: ChildProcess | undefined;
  #hasPower = true;

  constructor({ server, file, name, host, port, http, machine }: Parts) {
    this.#server = server;
    this.#file = file;
    this.name = name;
    this.host = host;
    this.port = port;
    this.#http = http;
    this.machine = machine;
  }

  /** Where clients connect. */
  get url(): string {
    return `nats://${this.host}:${this.port}`;
  }

  /** Its own reports over HTTP. */
  get monitor(): string {
    return `http://${this.host}:${this.#http}`;
  }

  get isRunning(): boolean {
    return this.#process !== undefined;
  }

  start(): void {
    if (this.#process || !this.#hasPower) return;
    const log = openSync(`${this.#file}.log`, 'a');
    const args = ['-c', this.#file];
    const [program, all] = this.machine?.command(this.#server, args) ?? [this.#server, args];
    this.#process = spawn(program, all, { stdio: ['ignore', log, log] });
    endWithUs(this.#process);
  }

  /** Resolves when it is gone. */
  async kill(signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL'): Promise<void> {
    const process = this.#process;
    if (!process) return;
    if (process.exitCode === null && process.signalCode === null) {
      const gone = once(process, 'exit');
      process.kill(signal);
      await gone;
    }
    if (this.#process === process) this.#process = undefined;
  }

  /** SIGSTOP. */
  pause(): void {
    this.#process?.kill('SIGSTOP');
  }

  /** SIGCONT. */
  resume(): void {
    if (this.#hasPower) this.#process?.kill('SIGCONT');
  }

  /** Its machine's disk is what it had synchronised when it was paused; then it can be started. */
  async losePower(): Promise<void> {
    if (!this.machine) throw new Error('The power of this computer stays on');
    this.#hasPower = false;
    this.pause();
    await heldStill(this.#process?.pid);
    await this.machine.keepDisk();
    await this.kill();
    await this.machine.returnToKeptDisk();
    this.#hasPower = true;
  }
}
