import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { endWithUs } from './end-with-us.ts';
import { freePorts } from './free-ports.ts';
import { until } from './until.ts';

export type NatsNode = {
  readonly name: string;
  /** Where clients connect. */
  readonly url: string;
  /** What it says of itself over HTTP. */
  readonly monitor: string;
  readonly port: number;
  start(): void;
  /** kill -9; resolves when it is gone. */
  kill(): Promise<void>;
  /** SIGSTOP and SIGCONT. */
  pause(): void;
  resume(): void;
  readonly isRunning: boolean;
};

export type NatsOptions = {
  nodes?: number;
  /** The setting that acknowledgements depend on. */
  syncInterval?: string;
  maxPayload?: number;
};

/** Real nats-servers with JetStream in a folder of their own: a cluster where there are several. */
export class NatsCluster {
  readonly nodes: readonly NatsNode[];
  readonly #folder: string;

  static async start(
    server: string,
    { nodes = 3, syncInterval = 'always', maxPayload = 1_048_576 }: NatsOptions = {},
  ): Promise<NatsCluster> {
    const folder = await mkdtemp(join(tmpdir(), 'plimsoll-nats-'));
    const ports = await freePorts(nodes * 3);
    const routes = Array.from({ length: nodes }, (_, n) => `nats://127.0.0.1:${ports[n * 3 + 1]}`);
    const own: NatsNode[] = [];
    for (let n = 0; n < nodes; n += 1) {
      const name = `n${n + 1}`;
      const [port = 0, route, http] = ports.slice(n * 3);
      const file = join(folder, `${name}.conf`);
      await mkdir(join(folder, name));
      const cluster = `cluster { name: plimsoll-test, listen: "127.0.0.1:${route}",
        routes: [${routes.join(', ')}] }`;
      await writeFile(
        file,
        `server_name: ${name}
        listen: "127.0.0.1:${port}"
        http: "127.0.0.1:${http}"
        max_payload: ${maxPayload}
        jetstream { store_dir: "${join(folder, name)}", sync_interval: "${syncInterval}" }
        ${nodes > 1 ? cluster : ''}
        `,
      );
      own.push(new Node(server, file, name, port, http ?? 0));
    }
    for (const node of own) node.start();
    const cluster = new NatsCluster(folder, own);
    await cluster.ready();
    return cluster;
  }

  private constructor(folder: string, nodes: readonly NatsNode[]) {
    this.#folder = folder;
    this.nodes = nodes;
  }

  get url(): string {
    return this.nodes.map(({ url }) => url).join(',');
  }

  get monitors(): string {
    return this.nodes.map(({ monitor }) => monitor).join(',');
  }

  /** All nodes run, and have a leader. */
  async ready(): Promise<void> {
    for (const { monitor, isRunning } of this.nodes) {
      if (isRunning) await until(() => isHealthy(monitor), `a healthy NATS server at ${monitor}`);
    }
  }

  /** The node that leads a stream; undefined while none does. */
  async leader(stream: string): Promise<NatsNode | undefined> {
    for (const { monitor, isRunning } of this.nodes) {
      if (!isRunning) continue;
      const name = await leaderOf(monitor, stream).catch(() => undefined);
      const found = this.nodes.find((node) => node.name === name);
      if (found?.isRunning) return found;
    }
    return undefined;
  }

  /** Deletes all streams. */
  async clear(): Promise<void> {
    const connection = await connect({ servers: this.nodes.map(({ url }) => url) });
    const { streams } = await jetstreamManager(connection, { checkAPI: false });
    for await (const { config } of streams.list()) await streams.delete(config.name);
    await connection.close();
  }

  /** What a node has logged, to explain a failure. */
  log(node: NatsNode): Promise<string> {
    return readFile(join(this.#folder, `${node.name}.conf.log`), 'utf8');
  }

  async stop(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.kill()));
    await rm(this.#folder, { recursive: true, force: true });
  }
}

class Node implements NatsNode {
  readonly name: string;
  readonly url: string;
  readonly monitor: string;
  readonly port: number;
  readonly #server: string;
  readonly #file: string;
  #process: ChildProcess | undefined;

  constructor(server: string, file: string, name: string, port: number, http: number) {
    this.#server = server;
    this.#file = file;
    this.name = name;
    this.port = port;
    this.url = `nats://127.0.0.1:${port}`;
    this.monitor = `http://127.0.0.1:${http}`;
  }

  get isRunning(): boolean {
    return this.#process !== undefined;
  }

  start(): void {
    if (this.#process) return;
    const log = openSync(`${this.#file}.log`, 'a');
    this.#process = spawn(this.#server, ['-c', this.#file], { stdio: ['ignore', log, log] });
    endWithUs(this.#process);
  }

  async kill(): Promise<void> {
    const process = this.#process;
    this.#process = undefined;
    if (!process || process.exitCode !== null || process.signalCode !== null) return;
    const gone = once(process, 'exit');
    process.kill('SIGKILL');
    await gone;
  }

  pause(): void {
    this.#process?.kill('SIGSTOP');
  }

  resume(): void {
    this.#process?.kill('SIGCONT');
  }
}

const WITHIN_MS = 2000;

async function isHealthy(monitor: string): Promise<boolean> {
  const signal = AbortSignal.timeout(WITHIN_MS);
  return fetch(`${monitor}/healthz`, { signal }).then(
    ({ ok }) => ok,
    () => false,
  );
}

type Jsz = {
  account_details?: { stream_detail?: { name: string; cluster?: { leader?: string } }[] }[];
};

async function leaderOf(monitor: string, stream: string): Promise<string | undefined> {
  const signal = AbortSignal.timeout(WITHIN_MS);
  const answer = await fetch(`${monitor}/jsz?accounts=true&streams=true`, { signal });
  const { account_details: accounts = [] } = (await answer.json()) as Jsz;
  const streams = accounts.flatMap(({ stream_detail: details = [] }) => details);
  return streams.find(({ name }) => name === stream)?.cluster?.leader;
}
