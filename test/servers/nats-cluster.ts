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

/** Real nats-servers with JetStream in a folder of their own: a cluster where there are several. */
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

  /** All nodes run, and have a leader. */
  async ready(): Promise<void> {
    for (const { monitor, isRunning } of this.nodes) {
      if (isRunning) await until(() => isHealthy(monitor), `a healthy NATS server at ${monitor}`);
    }
  }

  /**
   * A server that is slow at the very first start can be left out by the others for good: they are a
   * cluster of two then, and a stream of three replicas has no place (2.10.27, one start of fifteen
   * on a busy machine). Seldom they never agree on a leader at all: one asked for votes for eight
   * minutes, and the two others, linked with it and with each other, were silent. Started again,
   * those who are left out are let in.
   */
  async #form(): Promise<void> {
    if (this.nodes.length === 1) return;
    let startedMs = performance.now();
    const isFormed = async (): Promise<boolean> => {
      const members = await this.#members();
      const leftOut = this.nodes.filter(({ name }) => !members.includes(name));
      if (leftOut.length === 0) return true;
      const patienceMs = members.length > 0 ? LET_IN_MS : ELECTED_WITHIN_MS;
      if (performance.now() > startedMs + patienceMs) {
        await Promise.all(leftOut.map((node) => node.kill('SIGTERM')));
        for (const node of leftOut) node.start();
        startedMs = performance.now();
      }
      return false;
    };
    await until(isFormed, 'a cluster of all NATS servers');
  }

  /** Whom the leader of the cluster counts in; nobody while there is none. */
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
   * Cuts the power of some nodes at one moment: what they had not synchronised is gone. Resolves when
   * it is back, before they are started. They must run on machines of their own.
   */
  async cutPower(nodes: readonly NatsNode[] = this.nodes): Promise<void> {
    for (const node of nodes) node.pause();
    await Promise.all(nodes.map((node) => node.losePower()));
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

const WITHIN_MS = 2000;
/** How long a server is waited for that the others may still let in by themselves. */
const LET_IN_MS = 3000;
/** How long all of them are waited for while they have no leader: an election takes up to nine seconds. */
const ELECTED_WITHIN_MS = 15_000;

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
