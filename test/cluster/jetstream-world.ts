import type { TestContext } from 'node:test';
import { type Reborn, startReborn } from '../faults/reborn.ts';
import { LossyProxy } from '../servers/lossy-proxy.ts';
import type { Machines } from '../servers/machines.ts';
import { NatsCluster } from '../servers/nats-cluster.ts';
import { openTestDatabase } from '../servers/test-databases.ts';
import type { WaysThere } from './nats-strikes.ts';

const PROCESSES = 3;

export type JetstreamWorld = { cluster: NatsCluster; ways: WaysThere; processes: Reborn[] };

/** Three processes on one PostgreSQL, each with ways of its own to three NATS servers. */
export async function startJetstreamWorld(
  t: TestContext,
  server: string,
  machines?: Machines,
): Promise<JetstreamWorld> {
  // If a step fails, everything started before is stopped.
  await using started = new AsyncDisposableStack();
  if (machines) started.defer(() => machines.stop());
  const cluster = await NatsCluster.start(server, { machines: machines?.all ?? [] });
  started.defer(() => cluster.stop());
  const names = Array.from({ length: PROCESSES }, () => 'all');
  const startProxies = () =>
    Promise.all(cluster.nodes.map(({ port, host }) => LossyProxy.start(port, host)));
  const ways = await Promise.all(names.map(startProxies));
  for (const proxy of ways.flat()) started.defer(() => proxy.stop());
  const database = await openTestDatabase('postgres');
  started.defer(() => database.close());
  const parts = started.move();
  const close = () => parts.disposeAsync();
  const each = ways.map((proxies) => ({
    NATS_URL: proxies.map(({ port }) => `nats://127.0.0.1:${port}`).join(','),
  }));
  const processes = await startReborn(t, names, {
    ...{ environment: database.environment, each, close },
  });
  return { cluster, ways, processes };
}
