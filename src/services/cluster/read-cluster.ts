import { type Member, readMembers, readPartitions } from '../../storage/partition-store.ts';
import type { Context } from '../context.ts';
import { isoTime } from '../present-time.ts';

/** A process that folds. */
export type ClusterProcess = {
  id: string;
  host: string;
  startedTime: string;
  /** How long it has been silent: it is dead after some seconds. */
  silentSeconds: number;
  isLeaving: boolean;
  partitions: number[];
};

export type ClusterPartition = {
  partition: number;
  owner: string | undefined;
  /** Commits up to here are folded and stored. */
  storedPosition: number;
  /** How many commits are not folded yet; undefined if no process reports it. */
  lagCommits: number | undefined;
  /** The age of the stored state, if reported by its owner. */
  checkpointAgeSeconds: number | undefined;
};

export type Cluster = {
  /** The newest position of the journal known to a process. */
  head: number;
  processes: ClusterProcess[];
  partitions: ClusterPartition[];
};

/** Which process folds what, and how far, as reported within the last second or so. */
export async function readCluster({ database, now }: Pick<Context, 'database' | 'now'>) {
  const [rows, members] = await Promise.all([readPartitions(database), readMembers(database)]);
  const nowMs = now();
  const owned = (id: string): number[] =>
    rows.filter(({ owner }) => owner === id).map(({ partition }) => partition);
  const head = Math.max(
    0,
    ...members.map(({ report }) => report.head),
    ...rows.map(({ position }) => position),
  );
  return {
    head,
    processes: members.map((each) => ({
      id: each.id,
      host: each.host,
      startedTime: isoTime(each.startedAtMs),
      silentSeconds: secondsBetween(each.seenAtMs, nowMs),
      isLeaving: each.isLeaving,
      partitions: owned(each.id),
    })),
    partitions: rows.map(({ partition, owner, position }) => {
      const told = reportOf(members, owner, partition);
      return {
        partition,
        owner: owner ?? undefined,
        storedPosition: position,
        lagCommits: told && Math.max(0, head - told.folded),
        checkpointAgeSeconds:
          told?.storedAtMs === undefined ? undefined : secondsBetween(told.storedAtMs, nowMs),
      };
    }),
  } satisfies Cluster;
}

const reportOf = (members: readonly Member[], owner: string | null, partition: number) =>
  members
    .find(({ id }) => id === owner)
    ?.report.partitions.find((told) => told.partition === partition);

/** Never negative, though the clocks of machines differ a little. */
const secondsBetween = (fromMs: number, toMs: number): number =>
  Math.max(0, Math.round((toMs - fromMs) / 100) / 10);
