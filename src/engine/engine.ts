import type { TrackerRules } from '../domain/live/tracker-rule.ts';
import { sleep } from '../domain/timekeeper.ts';
import type { NewerFormat } from '../journal/commit-codec.ts';
import { partitionOf } from '../journal/entry.ts';
import type { Journal } from '../journal/journal.ts';
import {
  claimPartition,
  type MemberReport,
  type PartitionRow,
  readPartitions,
  releasePartition,
} from '../storage/partition-store.ts';
import { CommitStream } from './commit-stream.ts';
import type { EngineMetrics } from './engine-metrics.ts';
import { EventNumbers } from './event-numbers.ts';
import { EventWriter } from './event-writer.ts';
import { FoldTurns } from './fold-turns.ts';
import { Members, type MembersOptions } from './members.ts';
import { shareOf } from './membership.ts';
import { Partition } from './partition.ts';
import type { EngineLogger } from './persistence.ts';

export type EngineOptions = MembersOptions & {
  journal: Journal;
  /** Shared with everything else in the process that follows trackers. */
  rules: TrackerRules;
  metrics: EngineMetrics;
  logger: EngineLogger;
  checkpointMs?: number;
  /** How long entries are kept after their receipt, even if they are folded and stored. */
  keepJournalMs?: number;
  /** How often a process shows that it is alive. */
  beatMs?: number;
};

const CHECKPOINT_MS = 1000;
const BEAT_MS = 1000;

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
 * accounts in memory. Processes that fold register themselves and show by a heartbeat that they are
 * alive. Each takes free partitions up to its share, and hands over any surplus: stored first, then
 * released. The partitions of a dead process are free once the others' patience ends, or at once if
 * one of them can see that it has ended. A paused owner that wakes up finds a newer epoch in the
 * partition's row and can write nothing.
 */
export class Engine {
  readonly #options: EngineOptions;
  readonly #owned = new Map<number, Partition>();
  readonly #leaving = new Set<Partition>();
  readonly #turns = new FoldTurns();
  readonly #numbers: EventNumbers;
  readonly #eventWriter: EventWriter;
  readonly #members: Members;
  #stream: CommitStream | undefined;
  #deafen = (): void => {};
  /** The newest position that the log has reported. */
  #reached = 0;
  #isLookWanted = false;
  #pause = new AbortController();
  #looking: Promise<void> = Promise.resolve();
  readonly #stopping = new AbortController();
  #patrolling: Promise<void> = Promise.resolve();
  /** Why this process no longer folds anything, though it runs. */
  #outdated: NewerFormat | undefined;
  #isStopped = false;

  constructor(options: EngineOptions) {
    const { database, time, logger } = options;
    this.#options = options;
    this.#numbers = new EventNumbers(database, time, logger);
    this.#eventWriter = new EventWriter(database, time.now, () => this.#numbers.wake());
    this.#members = new Members(options);
  }

  /** Takes what is free, then goes on looking in the background. */
  async start(): Promise<void> {
    const { database, journal, time, logger } = this.#options;
    // The stream starts here; partitions that need earlier entries read them.
    const position = await journal.head();
    this.#stream = new CommitStream({
      ...{ journal, time, logger, position },
      deliver: (at, entryOf) => {
        for (const partition of this.#owned.values()) partition.offer(at, entryOf);
      },
      onNewerFormat: (error) => this.#giveUp(error),
    });
    const stream = this.#stream;
    this.#deafen = journal.listen({
      appended: (at, commit) => stream.appended(at, commit),
      more: () => stream.more(),
    });
    const stopListening = this.#deafen;
    const stopHearing = database.listen('plimsoll_engines', () => this.#lookSoon());
    this.#deafen = () => {
      stopListening();
      stopHearing();
    };
    this.#numbers.start();
    await this.#look();
    this.#looking = this.#keepLooking();
    this.#patrolling = this.#keepPatrolling();
  }

  get ownerId(): string {
    return this.#options.ownerId;
  }

  /** The owned partitions in order, without those being handed over. */
  get partitions(): PartitionState[] {
    return [...this.#owned.values()]
      .filter((partition) => !this.#leaving.has(partition))
      .sort((a, b) => a.number - b.number)
      .map((partition) => ({
        partition: partition.number,
        position: partition.position,
        storedPosition: partition.storedPosition,
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

  /** Why this process folds nothing though it should; undefined when all is well. */
  get outdated(): string | undefined {
    return this.#outdated?.message;
  }

  /** The partition of an account, if this process owns it. */
  ownerOf(accountNumber: number): Partition | undefined {
    return this.#owned.get(partitionOf(accountNumber, this.#options.journal.partitions));
  }

  /** Resolves when an account's partition is folded up to a position. Throws PartitionOver. */
  async reach(accountNumber: number, position: number): Promise<void> {
    this.#stream?.reach(position);
    await this.ownerOf(accountNumber)?.reached(position);
  }

  /** Waits until the owned partitions have folded everything that the journal holds now. */
  async settle(): Promise<void> {
    const head = await this.#options.journal.head();
    this.#stream?.reach(head);
    await Promise.all([...this.#owned.values()].map((partition) => partition.reached(head)));
  }

  /** Stores what is folded and releases all partitions. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#pause.abort();
    this.#stopping.abort();
    this.#deafen();
    await this.#looking;
    // Others take released partitions only once they know that their shares have grown.
    await this.#members.beat(this.#report(), true).catch(() => {});
    await Promise.allSettled([...this.#owned.values()].map((each) => this.#release(each)));
    this.#stream?.stop();
    await this.#patrolling;
    await this.#numbers.stop();
    await this.#members.leave().catch(() => {});
  }

  /** Stops at once, like a process that is killed. */
  abandon(): void {
    this.#isStopped = true;
    this.#pause.abort();
    this.#stopping.abort();
    this.#deafen();
    for (const partition of this.#owned.values()) partition.abandon();
    this.#stream?.stop();
    this.#numbers.stop().catch(() => {});
    this.#owned.clear();
  }

  /** Looks at every beat, or sooner if woken. */
  async #keepLooking(): Promise<void> {
    const { time, logger, beatMs = BEAT_MS } = this.#options;
    let hasFailed = false;
    while (!this.#isStopped) {
      // After a failure never at once, whoever wants a look.
      if (hasFailed || !this.#isLookWanted) await sleep(time, beatMs, this.#newPause());
      this.#isLookWanted = false;
      try {
        await this.#look();
        hasFailed = false;
      } catch (error) {
        logger.warn({ err: error }, 'the partitions could not be looked after; trying again');
        hasFailed = true;
      }
    }
  }

  /** Looks at once: a partition was released, or a dead process was forgotten. */
  #lookSoon(): void {
    this.#isLookWanted = true;
    this.#pause.abort();
  }

  #newPause(): AbortSignal {
    this.#pause = new AbortController();
    return this.#pause.signal;
  }

  /**
   * Finds commits that nobody announced here, and trims those that are folded everywhere. Separate
   * from the beat: a log that does not answer must not make a process look dead.
   */
  async #keepPatrolling(): Promise<void> {
    const { journal, time, logger, beatMs = BEAT_MS, keepJournalMs = 0 } = this.#options;
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await sleep(time, beatMs, signal);
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

  /** Shows that this process is alive, then takes and gives up partitions. */
  async #look(): Promise<void> {
    const { database, metrics } = this.#options;
    if (!this.#mayTake) return;
    await this.#members.beat(this.#report());
    const { living, sharing, beating, gone } = await this.#members.look();
    const rows = await readPartitions(database);
    for (const row of rows) this.#loseIfTaken(row);
    await this.#takeShare(rows, living, sharing);
    await this.#disclaim(rows);
    this.#giveUpSurplus(rows, sharing, beating);
    await this.#members.forget(gone);
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
  #storedAtMs({ position, storedPosition, storedAtMs }: Partition): number | undefined {
    return storedPosition >= position ? this.#options.time.now() : storedAtMs;
  }

  #report(): MemberReport {
    return {
      head: this.head,
      partitions: this.partitions.map(({ partition, position: folded, storedAtMs }) => ({
        ...{ partition, folded, storedAtMs },
      })),
    };
  }

  #loseIfTaken({ partition, epoch }: PartitionRow): void {
    const owned = this.#owned.get(partition);
    if (owned && owned.epoch < epoch) this.#lose(owned);
  }

  /** Takes partitions that no living process owns, up to this process' share. */
  async #takeShare(
    rows: readonly PartitionRow[],
    living: readonly string[],
    sharing: readonly string[],
  ): Promise<void> {
    const { ownerId, journal } = this.#options;
    const share = shareOf(ownerId, sharing, journal.partitions);
    // A row that names this process, which does not own it: the answer to its claim was lost.
    const free = rows.filter(
      (row) =>
        !this.#owned.has(row.partition) &&
        (row.owner === null || row.owner === ownerId || !living.includes(row.owner)) &&
        !this.#isLeaving(row),
    );
    // In parallel, as nobody folds them meanwhile. Another process may be quicker with some.
    while (free.length > 0 && this.#owned.size < share && this.#mayTake) {
      const some = free.splice(0, share - this.#owned.size);
      await Promise.all(some.map((row) => this.#claim(row)));
    }
  }

  /** Releases rows that name this process though it does not own them: others wait for them. */
  async #disclaim(rows: readonly PartitionRow[]): Promise<void> {
    const { database, ownerId } = this.#options;
    for (const row of rows) {
      if (row.owner !== ownerId || this.#owned.has(row.partition) || this.#isLeaving(row)) continue;
      await releasePartition(database, row.partition, row.epoch);
      database.announce('plimsoll_engines', ownerId);
    }
  }

  /** False once this process no longer folds anything. */
  get #mayTake(): boolean {
    return !this.#isStopped && !this.#outdated;
  }

  #isLeaving({ partition }: PartitionRow): boolean {
    return [...this.#leaving].some(({ number }) => number === partition);
  }

  async #claim(row: PartitionRow): Promise<void> {
    const { database, journal, time, ownerId, rules, metrics, logger, checkpointMs } =
      this.#options;
    const stream = this.#stream;
    const claimed = await claimPartition(database, row, ownerId);
    if (!claimed || !stream) return;
    if (!this.#mayTake) {
      await releasePartition(database, claimed.partition, claimed.epoch);
      return;
    }
    const parts = {
      ...{ database, journal, stream, time, rules, metrics, logger },
      turns: this.#turns,
      checkpointMs: checkpointMs ?? CHECKPOINT_MS,
      eventWriter: this.#eventWriter,
      newerFormat: (error: NewerFormat) => this.#giveUp(error),
    };
    this.#owned.set(row.partition, new Partition(claimed, parts, (lost) => this.#lose(lost)));
    logger.info({ partition: row.partition, epoch: claimed.epoch }, 'a partition was taken');
  }

  /** Hands over the surplus, if a process known to be alive has less than its share. */
  #giveUpSurplus(
    rows: readonly PartitionRow[],
    sharing: readonly string[],
    beating: ReadonlySet<string>,
  ): void {
    const { ownerId, journal, logger } = this.#options;
    const { partitions } = journal;
    const count = (id: string): number => rows.filter(({ owner }) => owner === id).length;
    const isWanted = sharing.some(
      (id) => id !== ownerId && beating.has(id) && count(id) < shareOf(id, sharing, partitions),
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
    for (const partition of this.#owned.values()) partition.abandon();
    this.#owned.clear();
    this.#members.leave().catch(() => {});
  }
}
