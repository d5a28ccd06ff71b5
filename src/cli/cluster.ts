import type { Command } from 'commander';
import {
  type ClusterPartition,
  type ClusterProcess,
  readCluster,
} from '../services/cluster/read-cluster.ts';
import { printRecords } from './print.ts';
import type { WithContext } from './with-context.ts';

/** `plimsoll cluster`. */
export function addClusterCommand(program: Command, withContext: WithContext): void {
  program
    .command('cluster')
    .description('show which process folds which partitions, and how far')
    .option('--json', 'print JSON', false)
    .action(({ json }: { json: boolean }) =>
      withContext(async (context) => {
        const cluster = await readCluster(context);
        if (json) {
          console.log(JSON.stringify(cluster, undefined, 2));
          return;
        }
        const processes = {
          PROCESS: (process: ClusterProcess) => process.id,
          HOST: (process: ClusterProcess) => process.host,
          STARTED: (process: ClusterProcess) => process.startedTime,
          'SILENT S': (process: ClusterProcess) => process.silentSeconds,
          LEAVING: (process: ClusterProcess) => (process.isLeaving ? 'yes' : ''),
          PARTITIONS: (process: ClusterProcess) => process.partitions.join(','),
        };
        printRecords(cluster.processes, processes, false);
        const partitions = {
          PARTITION: (each: ClusterPartition) => each.partition,
          OWNER: (each: ClusterPartition) => each.owner,
          STORED: (each: ClusterPartition) => each.storedPosition,
          'LAG COMMITS': (each: ClusterPartition) => each.lagCommits,
          'CHECKPOINT AGE S': (each: ClusterPartition) => each.checkpointAgeSeconds,
        };
        console.log(`\nThe journal is at position ${cluster.head}.`);
        printRecords(cluster.partitions, partitions, false);
      }),
    );
}
