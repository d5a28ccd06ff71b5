import type { Claims } from '../claims/claims.ts';
import type { TrackerRules } from '../domain/live/tracker-rule.ts';
import { Rounds } from '../domain/rounds.ts';
import { atMost, sleep, type Timekeeper } from '../domain/timekeeper.ts';
import type { NewerFormat } from '../journal/commit-codec.ts';
import { partitionOf } from '../journal/entry.ts';
import type { Journal } from '../journal/journal.ts';
import type { Claim } from '../storage/claim-store.ts';
import type { Database } from '../storage/database.ts';
import {
  type MemberReport,
  type PartitionRow,
  readPartitions,
  readPosition,
} from '../storage/partition-store.ts';
import { CommitStream } from './commit-stream.ts';
import type { EngineMetrics } from './engine-metrics.ts';
import { EventNumbers } from './event-numbers.ts';
import { EventWriter } from './event-writer.ts';
import { FoldTurns } from './fold-entry.ts';
import { Partition } from './partition.ts';
import type { EngineLogger } from './persistence.ts';

export type EngineOptions = {
  database: Database;
  /** Decides which partitions are its own, and which other processes share them. */
  claims: Claims;
  time: Timekeeper;
  journal: Journal;
  /** Shared with all other parts of the process that follow trackers. */
  rules: TrackerRules;
  metrics: EngineMetrics;
  logger: EngineLogger;
  checkpointMs?: number;
  /** How long entries are kept after their receipt, even if they are folded and stored. */
  keepJournalMs?: number;
};

const CHECKPOINT_MS = 1000;
const PATROL_MS = 1000;
/** Of the ten seconds of a stop: a partition that cannot finish does not hold the others. */
const HAND_OVER_MS = 4000;

export type PartitionState = {
  partition: number;
  position: number;
  storedPosition: number;
  /** Everything folded by this time is stored; undefined before the first checkpoint. */
  storedAtMs: number | undefined;
  accounts: number;
  quarantined: number;
  failing: readonly string[];
};

/**
 * The live side: owns a share of the journal's partitions, folds their entries and keeps their
 * accounts in memory. The owner of a partition holds its claim (see Claims), whose fence is the
 * epoch of everything it writes. Each process takes free partitions up to its share, and hands over
 * any surplus: stored first, then released.
 */
export class Engine {
  readonly #options: EngineOptions;
  readonly #owned = new Map<number, Partition>();
  readonly #leaving = new Set<Partition>();
  readonly #turns = new FoldTurns();
  readonly #numbers: EventNumbers;
  readonly #eventWriter: EventWriter;
  readonly #rounds: Rounds;
  #stream: CommitStream | undefined;
  #unsubscribe = (): void => {};
  #folded = (_accountNumber: number): void => {};
  /** The newest position that the log has reported. */
  #reached = 0;
  readonly #stopping = new AbortController();
  #patrolling: Promise<void> = Promise.resolve();
  /** Why this process no longer folds, though it runs. */
  #outdated: NewerFormat | undefined;
  #isStopped = false;

  constructor(options: EngineOptions) {
    const { database, time, logger } = options;
    this.#options = options;
    this.#numbers = new EventNumbers(database, time, logger);
    this.#eventWriter = new EventWriter(
      database,
      () => time.now(),
      () => this.#numbers.wake(),
    );
    this.#rounds = new Rounds(
      () => this.#look(),
      (error) => {
        logger.warn({ err: error }, 'the partitions could not be looked after; trying again');
      },
    );
  }

  /** Takes free partitions, then keeps checking in the background. */
  async start(): Promise<void> {
    const { database, claims, journal, time, logger } = this.#options;
    // The stream starts here; partitions that need earlier entries read these.
    const position = await journal.head();
    this.#stream = new CommitStream({
      ...{ journal, time, logger, position },
      followers: this.#owned,
      onNewerFormat: (error) => this.#giveUp(error),
    });
    this.#unsubscribe = journal.listen(this.#stream);
    this.#numbers.start();
    await claims.share('partition', () => this.#report());
    await this.#look();
    const wake = (): void => this.#rounds.wake();
    const ends = [
      this.#unsubscribe,
      database.listen('plimsoll_engines', wake),
      claims.listen(wake),
    ];
    this.#unsubscribe = () => {
      for (const end of ends) end();
    };
    this.#patrolling = this.#keepPatrolling();
  }

  get ownerId(): string {
    return this.#options.claims.id;
  }

  /** The owned partitions in order, without those being handed over. */
  get partitions(): PartitionState[] {
    return [...this.#owned.values()]
      .filter((partition) => !this.#leaving.has(partition))
      .sort((a, b) => a.number - b.number)
      .map((partition) => ({
        partition: partition.number,
        position: partition.backlog.position,
        storedPosition: partition.backlog.stored,
        storedAtMs: this.#storedAtMs(partition),
        accounts: partition.accounts,
        quarantined: partition.quarantined,
        failing: partition.failing,
      }));
  }

  /** The newest position of the journal known to this process. */
  get head(): number {
    return Math.max(this.#reached, this.#stream?.position ?? 0);
  }

  /** Why this process folds nothing although it should; undefined when all is well. */
  get outdated(): string | undefined {
    return this.#outdated?.message;
  }

  /** Has `heard` called, at once and often, for each account that an entry has changed here. */
  onFolded(heard: (accountNumber: number) => void): void {
    this.#folded = heard;
  }

  /** The partition of an account, if this process owns it. */
  ownerOf(accountNumber: number): Partition | undefined {
    return this.#owned.get(partitionOf(accountNumber, this.#options.journal.partitions));
  }

  /** Resolves when an account's partition is folded up to a position. Throws PartitionOver. */
  async reach(accountNumber: number, position: number): Promise<void> {
    this.#stream?.reach(position);
    await this.ownerOf(accountNumber)?.backlog.reached(position);
  }

  /** Waits until the owned partitions have folded everything in the journal now. */
  async settle(): Promise<void> {
    const head = await this.#options.journal.head();
    this.#stream?.reach(head);
    await Promise.all(
      [...this.#owned.values()].map((partition) => partition.backlog.reached(head)),
    );
  }

  /** Stores everything folded and releases all partitions. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#stopping.abort();
    this.#unsubscribe();
    await this.#rounds.stop();
    // Others take released partitions only when they know that their shares have grown.
    await this.#options.claims.unshare('partition').catch(() => {});
    const { time } = this.#options;
    const released = Promise.allSettled(
      [...this.#owned.values()].map((each) => this.#release(each)),
    );
    if (!(await atMost(time, HAND_OVER_MS, released))) this.#leave();
    this.#stream?.stop();
    await this.#patrolling;
    await this.#numbers.stop();
  }

  /** Gives up those that cannot finish: the next owner folds again what is not stored of them. */
  #leave(): void {
    const left = [...this.#leaving];
    for (const each of left) each.abandon();
    const fields = { partitions: left.map(({ number }) => number) };
    this.#options.logger.warn(fields, 'partitions were left without their last checkpoint');
  }

  /** Stops at once, like a process that is killed. */
  abandon(): void {
    this.#isStopped = true;
    this.#stopping.abort();
    this.#unsubscribe();
    for (const partition of this.#owned.values()) partition.abandon();
    this.#stream?.stop();
    this.#numbers.stop().catch(() => {});
    this.#owned.clear();
  }

  /**
   * Finds commits that were not announced here, and trims those folded everywhere. Separate from
   * the rounds: a log that does not answer must not prevent taking partitions.
   */
  async #keepPatrolling(): Promise<void> {
    const { journal, time, logger, keepJournalMs = 0 } = this.#options;
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await sleep(time, PATROL_MS, signal);
      if (signal.aborted || this.#outdated) continue;
      try {
        this.#reached = await journal.look();
        this.#stream?.reach(this.#reached);
        // One process is enough: the owner of partition 0.
        if (this.#owned.has(0)) await journal.trim(time.now() - keepJournalMs + 1);
      } catch (error) {
        logger.warn({ err: error }, 'the journal could not be looked after; trying again');
      }
    }
  }

  /** Takes and gives up partitions. */
  async #look(): Promise<void> {
    const { database, claims, metrics } = this.#options;
    if (!this.#mayTake) return;
    const sharing = claims.sharing('partition');
    const rows = await readPartitions(database);
    await this.#takeShare(rows, sharing);
    this.#giveUpSurplus(rows, sharing);
    this.#measure(metrics);
  }

  #measure(metrics: EngineMetrics): void {
    const { head } = this;
    const nowMs = this.#options.time.now();
    metrics.ownedPartitions.set(this.#owned.size);
    metrics.lag.reset();
    metrics.checkpointAge.reset();
    for (const { partition, position, storedAtMs = nowMs } of this.partitions) {
      metrics.lag.labels(String(partition)).set(Math.max(0, head - position));
      const age = Math.max(0, nowMs - storedAtMs) / 1000;
      metrics.checkpointAge.labels(String(partition)).set(age);
    }
  }

  /** Now, if everything folded is stored. */
  #storedAtMs({ backlog: { position, stored, storedAtMs } }: Partition): number | undefined {
    return stored >= position ? this.#options.time.now() : storedAtMs;
  }

  #report(): MemberReport {
    return {
      head: this.head,
      partitions: this.partitions.map(({ partition, position: folded, storedAtMs }) => ({
        ...{ partition, folded, storedAtMs },
      })),
    };
  }

  /** Takes free partitions, up to this process' share. */
  async #takeShare(rows: readonly PartitionRow[], sharing: readonly string[]): Promise<void> {
    const share = shareOf(this.ownerId, sharing, this.#options.journal.partitions);
    const free = rows.filter((row) => row.owner === null && !this.#owned.has(row.partition));
    // In parallel, as they are not folded until then. Another process may be quicker with some.
    while (free.length > 0 && this.#owned.size < share && this.#mayTake) {
      const some = free.splice(0, share - this.#owned.size);
      await Promise.all(some.map(({ partition }) => this.#claim(partition)));
    }
  }

  /** False once this process no longer folds. */
  get #mayTake(): boolean {
    return !this.#isStopped && !this.#outdated;
  }

  async #claim(partition: number): Promise<void> {
    const { database, claims, journal, time, rules, metrics, logger, checkpointMs } = this.#options;
    const stream = this.#stream;
    const lost = (): void => {
      const owned = this.#owned.get(partition);
      if (owned && owned.epoch === claim?.fence) this.#lose(owned);
    };
    let claim: Claim | undefined;
    const position = await claims.taking(
      (take) =>
        database.transaction(async (tx) => {
          [claim] = await take(tx, 'partition', [String(partition)]);
          return claim ? readPosition(tx, partition) : 0;
        }),
      lost,
    );
    if (!claim || !stream) return;
    if (!this.#mayTake) return claims.release(claim);
    const parts = {
      ...{ database, claims, claim, journal, stream, time, rules, metrics, logger },
      turns: this.#turns,
      checkpointMs: checkpointMs ?? CHECKPOINT_MS,
      eventWriter: this.#eventWriter,
      folded: (accountNumber: number) => this.#folded(accountNumber),
      newerFormat: (error: NewerFormat) => this.#giveUp(error),
    };
    const owned = new Partition({ partition, position }, parts, (own) => this.#lose(own));
    this.#owned.set(partition, owned);
    logger.info({ partition, epoch: claim.fence }, 'a partition was taken');
  }

  /** Hands over the surplus, if a process known to be alive has less than its share. */
  #giveUpSurplus(rows: readonly PartitionRow[], sharing: readonly string[]): void {
    const { claims, journal, logger } = this.#options;
    const { ownerId } = this;
    const { partitions } = journal;
    const count = (id: string): number => rows.filter(({ owner }) => owner === id).length;
    const isWanted = sharing.some(
      (id) =>
        id !== ownerId && claims.isBeating(id) && count(id) < shareOf(id, sharing, partitions),
    );
    const surplus = this.#owned.size - shareOf(ownerId, sharing, partitions);
    if (!isWanted || surplus <= 0 || this.#leaving.size > 0) return;
    const last = [...this.#owned.values()].slice(-surplus);
    for (const partition of last) {
      this.#release(partition).catch((error: unknown) => {
        logger.warn({ err: error, partition: partition.number }, 'a partition was not handed over');
      });
    }
  }

  async #release(partition: Partition): Promise<void> {
    this.#leaving.add(partition);
    try {
      await partition.release();
    } finally {
      this.#leaving.delete(partition);
      partition.abandon();
      if (this.#owned.get(partition.number) === partition) this.#owned.delete(partition.number);
    }
    this.#options.database.announce('plimsoll_engines', this.ownerId);
  }

  #lose(partition: Partition): void {
    partition.abandon();
    if (this.#owned.get(partition.number) !== partition) return;
    this.#owned.delete(partition.number);
    this.#options.metrics.ownedPartitions.set(this.#owned.size);
    this.#options.logger.warn({ partition: partition.number }, 'a partition was lost');
  }

  /** The log has commits in a newer format: leaves all partitions to a newer version. */
  #giveUp(error: NewerFormat): void {
    if (this.#outdated) return;
    this.#outdated = error;
    this.#options.logger.error({ err: error }, 'this process can no longer fold the journal');
    const { claims } = this.#options;
    claims.unshare('partition').catch(() => {});
    for (const partition of this.#owned.values()) {
      partition.abandon();
      claims.release(partition.claim).catch(() => {});
    }
    this.#owned.clear();
  }
}

/** How many partitions a process should own: the shares of all differ by one at most. */
function shareOf(id: string, sharing: readonly string[], partitions: number): number {
  const place = sharing.indexOf(id);
  if (place < 0) return 0;
  const least = Math.floor(partitions / sharing.length);
  return place < partitions % sharing.length ? least + 1 : least;
}
