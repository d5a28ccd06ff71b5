import { setTimeout as sleep } from 'node:timers/promises';
import type { Reborn } from '../faults/reborn.ts';
import type { NatsCluster } from '../servers/nats-cluster.ts';
import type { Random } from '../simulation/random.ts';

const PAUSED_MS = { least: 500, most: 9000 };

/** Possible faults of the processes that share a cluster; each resolves when it is over. */
export function processStrikes(
  cluster: NatsCluster,
  processes: readonly Reborn[],
  random: Random,
): Record<string, () => Promise<void>> {
  return {
    'SIGKILL of a process': () => random.pick(processes).die('SIGKILL'),
    'SIGTERM of a process': () => random.pick(processes).die('SIGTERM', { isHard: true }),
    'pause of a process': async () => {
      const goOn = random.pick(processes).pause();
      await sleep(random.between(PAUSED_MS.least, PAUSED_MS.most));
      goOn();
    },
    'replacement of one process after another': async () => {
      for (const process of processes) {
        await process.die('SIGTERM', { isHard: true });
        await process.ready();
      }
    },
    'kill of all nodes and processes': async () => {
      // No process has the acknowledged data in memory.
      await Promise.all([
        ...processes.map((each) => each.stop()),
        ...cluster.nodes.map((node) => node.kill()),
      ]);
      for (const node of cluster.nodes) node.start();
      await cluster.ready();
      await Promise.all(processes.map((each) => each.start()));
    },
  };
}
