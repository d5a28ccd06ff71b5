import { setTimeout as sleep } from 'node:timers/promises';
import { STREAM } from '../../src/journal/jetstream/make-stream.ts';
import type { Machine } from '../servers/machine.ts';
import { bothWays, type Machines, type Way } from '../servers/machines.ts';
import type { NatsCluster } from '../servers/nats-cluster.ts';
import type { NatsNode } from '../servers/nats-node.ts';
import type { Random } from '../simulation/random.ts';

const DARK_MS = { least: 200, most: 4000 };
/** From less than an election takes to two of them. */
const SPLIT_MS = { least: 1000, most: 12_000 };

/** Possible faults of a cluster's machines and of the network between them. */
export function machineStrikes(
  cluster: NatsCluster,
  machines: Machines,
  random: Random,
): Record<string, () => Promise<void>> {
  const leader = async (): Promise<NatsNode> =>
    (await cluster.leader(STREAM)) ?? random.pick(cluster.nodes);
  // Power comes back to all of it before it goes again.
  let power = Promise.resolve();
  const loseIt = async (nodes: readonly NatsNode[]): Promise<void> => {
    await cluster.cutPower(nodes);
    await sleep(random.between(DARK_MS.least, DARK_MS.most));
    for (const node of nodes) node.start();
  };
  const losePower = (nodes: readonly NatsNode[]): Promise<void> => {
    power = power.then(() => loseIt(nodes));
    return power;
  };
  const split = async (ways: readonly Way[]): Promise<void> => {
    await machines.cut(ways);
    await sleep(random.between(SPLIT_MS.least, SPLIT_MS.most));
    await machines.mend(ways);
  };
  const machineOf = ({ machine }: NatsNode): Machine => machine ?? random.pick(machines.all);
  return {
    'power cut of all nodes': () => losePower(cluster.nodes),
    'power cut of one node': () => losePower([random.pick(cluster.nodes)]),
    'leader cut off from its peers': async () =>
      split(machines.around(machineOf(await leader()), { us: false })),
    'node cut off from everybody': () =>
      split(machines.around(random.pick(machines.all), { us: true })),
    'leader and one peer cut from each other': async () => {
      const one = machineOf(await leader());
      const other = random.pick(machines.all.filter((machine) => machine !== one));
      await split(bothWays(one, other));
    },
    'leader hears its peers, and they not it': async () => {
      const from = machineOf(await leader());
      await split(machines.around(from, { us: false }).filter((way) => way.from === from));
    },
    'no two nodes reach each other': () =>
      split(machines.all.flatMap((machine) => machines.around(machine, { us: false }))),
  };
}
