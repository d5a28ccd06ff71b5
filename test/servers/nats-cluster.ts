import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { freePorts } from './free-ports.ts';
import type { Machine } from './machine.ts';
import { NatsNode } from './nats-node.ts';
import { until } from './until.ts';

export type NatsOptions = {
  nodes?: number;
  /** The setting that acknowledgements depend on. */
  syncInterval?: string;
  maxPayload?: number;
  /** One for each node; without them, all run on this computer. */
  machines?: readonly Machine[];
};

/** Real nats-servers with JetStream in a folder of their own: a cluster if there are several. */
export class NatsCluster {
  readonly nodes: readonly NatsNode[];
  readonly #folder: string;

  static async start(
    server: string,
    { nodes = 3, syncInterval = 'always', maxPayload = 1_048_576, machines = [] }: NatsOptions = {},
  ): Promise<NatsCluster> {
    const folder = await mkdtemp(join(tmpdir(), 'plimsoll-nats-'));
    const ports = await freePorts(nodes * 3);
    const hosts = Array.from({ length: nodes }, (_, n) => machines[n]?.address ?? '127.0.0.1');
    const routes = hosts.map((host, n) => `nats://${host}:${ports[n * 3 + 1]}`);
    const own: NatsNode[] = [];
    for (let n = 0; n < nodes; n += 1) {
      const name = `n${n + 1}`;
      const [port = 0, route, http] = ports.slice(n * 3);
      const file = join(folder, `${name}.conf`);
      const machine = machines[n];
      const host = hosts[n] ?? '';
      const store = machine?.folder ?? join(folder, name);
      await mkdir(store, { recursive: true });
      const cluster = `cluster { name: plimsoll-test, listen: "${host}:${route}",
        routes: [${routes.join(', ')}] }`;
      await writeFile(
        file,
        `server_name: ${name}
        listen: "${host}:${port}"
        http: "${host}:${http}"
        max_payload: ${maxPayload}
        jetstream { store_dir: "${store}", sync_interval: "${syncInterval}" }
        ${nodes > 1 ? cluster : ''}
        `,
      );
      own.push(new NatsNode({ server, file, name, host, port, http: http ?? 0, machine }));
    }
    const cluster = new NatsCluster(folder, own);
    try {
      for (const node of own) node.start();
      await cluster.#form();
      await cluster.ready();
    } catch (error) {
      await cluster.stop();
      throw error;
    }
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

  /**
   * All nodes that run know who leads the cluster; a stream may have no leader for seconds more.
   */
  async ready(): Promise<void> {
    const running = this.nodes.filter(({ isRunning }) => isRunning);
    const areReady = startedAgain(async () => {
      const healthy = await Promise.all(running.map(({ monitor }) => isHealthy(monitor)));
      return running.filter((_, n) => !healthy[n]);
    });
    await until(areReady, `healthy NATS servers at ${running.map(({ monitor }) => monitor)}`);
  }

  /** A cluster of two has no place for a stream of three replicas. */
  async #form(): Promise<void> {
    if (this.nodes.length === 1) return;
    const isFormed = startedAgain(async () => {
      const members = await this.#members();
      return this.nodes.filter(({ name }) => !members.includes(name));
    });
    await until(isFormed, 'a cluster of all NATS servers');
  }

  /** The leader's members of the cluster; none without a leader. */
  async #members(): Promise<string[]> {
    for (const { name, monitor } of this.nodes) {
      const { meta_cluster: meta } = await jszOf(monitor).catch((): Jsz => ({}));
      const others = meta?.replicas ?? [];
      if (meta?.leader === name) return [name, ...others.map((other) => other.name)];
    }
    return [];
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

  /**
   * Cuts the power of some nodes at one moment: what they had not synchronised is gone. Resolves
   * when it is back, before they are started. They must run on machines of their own.
   */
  async cutPower(nodes: readonly NatsNode[] = this.nodes): Promise<void> {
    for (const node of nodes) node.pause();
    await Promise.all(nodes.map((node) => node.losePower()));
  }

  /** A node's log, to explain a failure. */
  log(node: NatsNode): Promise<string> {
    return readFile(join(this.#folder, `${node.name}.conf.log`), 'utf8');
  }

  async stop(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.kill()));
    await rm(this.#folder, { recursive: true, force: true });
  }
}

const WITHIN_MS = 2000;
/** An election takes up to nine seconds, and may be held a second time. */
const FOUND_WITHIN_MS = 15_000;

/**
 * Whether no node is missing. Servers that start at the same moment close links that two of them
 * made at once, and on a busy machine sometimes all of them (2.10.27): one is left out for good
 * then, one start of fifteen, or no one ever leads. A server missing for so long is started again,
 * and admitted; a machine that was too slow for that has twice the time.
 */
function startedAgain(findMissing: () => Promise<readonly NatsNode[]>): () => Promise<boolean> {
  let sinceMs = performance.now();
  let withinMs = FOUND_WITHIN_MS;
  return async () => {
    const missing = await findMissing();
    if (performance.now() > sinceMs + withinMs) {
      await Promise.all(missing.map((node) => node.kill('SIGTERM')));
      for (const node of missing) node.start();
      sinceMs = performance.now();
      withinMs *= 2;
    }
    return missing.length === 0;
  };
}

async function isHealthy(monitor: string): Promise<boolean> {
  const signal = AbortSignal.timeout(WITHIN_MS);
  return fetch(`${monitor}/healthz`, { signal }).then(
    ({ ok }) => ok,
    () => false,
  );
}

type Jsz = {
  meta_cluster?: { leader?: string; replicas?: { name: string }[] };
  account_details?: { stream_detail?: { name: string; cluster?: { leader?: string } }[] }[];
};

async function jszOf(monitor: string, query = ''): Promise<Jsz> {
  const signal = AbortSignal.timeout(WITHIN_MS);
  const answer = await fetch(`${monitor}/jsz${query}`, { signal });
  return (await answer.json()) as Jsz;
}

async function leaderOf(monitor: string, stream: string): Promise<string | undefined> {
  const { account_details: accounts = [] } = await jszOf(monitor, '?accounts=true&streams=true');
  const streams = accounts.flatMap(({ stream_detail: details = [] }) => details);
  return streams.find(({ name }) => name === stream)?.cluster?.leader;
}
