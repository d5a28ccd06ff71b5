import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

export type EngineMetrics = ReturnType<typeof createEngineMetrics>;

/** The engine's metrics for operators. */
export function createEngineMetrics(registry: Registry) {
  const registers = [registry];
  return {
    snapshots: new Counter({
      name: 'plimsoll_folded_snapshots_total',
      help: 'Snapshots folded into live state',
      registers,
    }),
    events: new Counter({
      name: 'plimsoll_events_total',
      help: 'Events stored, by kind; after a takeover the last ones may be counted again',
      labelNames: ['kind'],
      registers,
    }),
    foldDelay: new Histogram({
      name: 'plimsoll_fold_delay_seconds',
      help: 'Journal lag: from the receipt of an entry to its fold',
      buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10, 60],
      registers,
    }),
    checkpointSeconds: new Histogram({
      name: 'plimsoll_checkpoint_seconds',
      help: 'Time that a checkpoint of a partition takes',
      buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10],
      registers,
    }),
    ownedPartitions: new Gauge({
      name: 'plimsoll_owned_partitions',
      help: 'Partitions of the journal that this process folds',
      registers,
    }),
    lag: new Gauge({
      name: 'plimsoll_partition_lag_commits',
      help: 'Commits of the journal that a partition of this process has not folded yet',
      labelNames: ['partition'],
      registers,
    }),
    checkpointAge: new Gauge({
      name: 'plimsoll_checkpoint_age_seconds',
      help: 'How long a partition of this process has had folded data that is not stored',
      labelNames: ['partition'],
      registers,
    }),
  };
}
