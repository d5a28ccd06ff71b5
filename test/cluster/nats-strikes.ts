import { setTimeout as sleep } from 'node:timers/promises';
import { STREAM } from '../../src/journal/jetstream/make-stream.ts';
import type { LossyProxy } from '../servers/lossy-proxy.ts';
import type { NatsCluster } from '../servers/nats-cluster.ts';
import type { NatsNode } from '../servers/nats-node.ts';
import type { Random } from '../simulation/random.ts';

const DOWN_MS = { least: 200, most: 4000 };
/** Longer than an election takes, so that another one leads when the paused one comes back. */
const PAUSED_MS = { least: 1000, most: 9000 };
const DEAF_MS = { least: 300, most: 2500 };

/** The ways to all servers of a cluster, of each process. */
export type WaysThere = readonly (readonly LossyProxy[])[];

/** Possible faults of a cluster and the ways to it; each resolves when it is over. */
export function natsStrikes(
  cluster: NatsCluster,
  ways: WaysThere,
  random: Random,
): Record<string, () => Promise<void>> {
  const proxies = ways.flat();
  const aWhile = ({ least, most }: { least: number; most: number }) =>
    sleep(random.between(least, most));
  const leader = async (): Promise<NatsNode> =>
    (await cluster.leader(STREAM)) ?? random.pick(cluster.nodes);
  const dieAndReturn = async (nodes: readonly NatsNode[]): Promise<void> => {
    await Promise.all(nodes.map((node) => node.kill()));
    await aWhile(DOWN_MS);
    for (const node of nodes) node.start();
  };
  return {
    'kill of the leader': async () => dieAndReturn([await leader()]),
    'kill of all nodes': async () => {
      await dieAndReturn(cluster.nodes);
      await cluster.ready();
    },
    'kill of one node after another': async () => {
      for (const node of cluster.nodes) await dieAndReturn([node]);
      await cluster.ready();
    },
    'pause of the leader': async () => {
      const node = await leader();
      node.pause();
      await aWhile(PAUSED_MS);
      node.resume();
    },
    'pause of two nodes': async () => {
      const two = cluster.nodes.slice(1);
      for (const node of two) node.pause();
      await aWhile(PAUSED_MS);
      for (const node of two) node.resume();
    },
    'answers lost': async () => {
      for (const proxy of proxies) proxy.isDeaf = true;
      await aWhile(DEAF_MS);
      for (const proxy of proxies) {
        proxy.isDeaf = false;
        proxy.cut();
      }
    },
    'replacement of one node after another': async () => {
      for (const node of cluster.nodes) {
        await node.kill('SIGTERM');
        node.start();
        await cluster.ready();
      }
    },
    'a process cut off from all nodes': async () => {
      const own = random.pick(ways);
      for (const proxy of own) proxy.isSilent = true;
      await aWhile(PAUSED_MS);
      for (const proxy of own) {
        proxy.isSilent = false;
        proxy.cut();
      }
    },
    'connections cut': async () => {
      for (const proxy of proxies) proxy.cut();
    },
  };
}
