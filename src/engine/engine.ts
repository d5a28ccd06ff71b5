import { ClockViews } from '../domain/live/clock-views.ts';
import { TrackerRules } from '../domain/live/tracker-rule.ts';
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
  metrics: EngineMetrics;
  logger: EngineLogger;
  checkpointMs?: number;
  /** How long entries are kept that are folded and stored. */
  keepJournalMs?: number;
  /** How often a process shows that it lives. */
  beatMs?: number;
};

const CHECKPOINT_MS = 1000;
const BEAT_MS = 1000;

export type PartitionState = {
  partition: number;
  position: number;
  storedPosition: number;
  /** All that was folded by then is stored; undefined before the first checkpoint. */
  storedAtMs: number | undefined;
  accounts: number;
  quarantined: number;
  failing: readonly string[];
};

/**
 * The live side: holds its share of the journal's partitions, folds their entries and keeps their
 * accounts in memory. Processes that fold announce themselves and show that they live by a beat.
 * Each takes what nobody has, up to its share, and gives up what is above it, in order: stored, then
 * let go. What a dead process held is free after the others' patience, or at once where one of them
 * can see that it has ended. A paused owner that wakes up meets another epoch in the partition's row
 * and can write nothing.
 */
export class Engine {
  readonly #options: EngineOptions;
  readonly #owned = new Map<number, Partition>();
  readonly #leaving = new Set<Partition>();
  readonly #rules = new TrackerRules();
  readonly #clocks = new ClockViews();
  readonly #turns = new FoldTurns();
  readonly #numbers: EventNumbers;
  readonly #eventWriter: EventWriter;
  readonly #members: Members;
  #stream: CommitStream | undefined;
  #deafen = (): void => {};
  /** The log has come as far as this. */
  #reached = 0;
  #isLookWanted = false;
  #pause = new AbortController();
  #looking: Promise<void> = Promise.resolve();
  readonly #stopping = new AbortController();
  #patrolling: Promise<void> = Promise.resolve();
  /** Why this process folds nothing any more, though it runs. */
  #outdated: NewerFormat | undefined;
  #isStopped = false;

  constructor(options: EngineOptions) {
    const { database, time, logger } = options;
    this.#options = options;
    this.#numbers = new EventNumbers(database, time, logger);
    this.#eventWriter = new EventWriter(database, () => this.#numbers.wake());
    this.#members = new Members(options);
  }

  /** Owns what is free when it resolves, and goes on looking. */
  async start(): Promise<void> {
    const { database, journal, time, logger } = this.#options;
    // From here on; what came before is read by the partitions that need it.
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

  /** What is owned, in order, but what is being handed over. */
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

  /** The newest position of the journal that this process knows of. */
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

  /** Resolves when all up to a position is folded of an account's partition. Throws PartitionOver. */
  async reach(accountNumber: number, position: number): Promise<void> {
    this.#stream?.reach(position);
    await this.ownerOf(accountNumber)?.reached(position);
  }

  /** Waits until what the journal holds now is folded here, where it is this process' to fold. */
  async settle(): Promise<void> {
    const head = await this.#options.journal.head();
    this.#stream?.reach(head);
    await Promise.all([...this.#owned.values()].map((partition) => partition.reached(head)));
  }

  /** Stores what is folded and lets go of everything. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#pause.abort();
    this.#stopping.abort();
    this.#deafen();
    await this.#looking;
    // Others take what is let go of only when they know that their shares have grown.
    await this.#members.beat(this.#report(), true).catch(() => {});
    await Promise.allSettled([...this.#owned.values()].map((each) => this.#release(each)));
    this.#stream?.stop();
    await this.#patrolling;
    await this.#numbers.stop();
    await this.#members.leave().catch(() => {});
  }

  /** Stops at once, as a process that is killed. */
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

  /** Looks again and again, one time after the other. */
  async #keepLooking(): Promise<void> {
    const { time, logger, beatMs = BEAT_MS } = this.#options;
    while (!this.#isStopped) {
      if (!this.#isLookWanted) await sleep(time, beatMs, this.#newPause());
      this.#isLookWanted = false;
      try {
        await this.#look();
      } catch (error) {
        logger.warn({ err: error }, 'the partitions cannot be looked after and are asked again');
        await sleep(time, beatMs, this.#newPause());
      }
    }
  }

  /** Somebody has let go of something. */
  #lookSoon(): void {
    this.#isLookWanted = true;
    this.#pause.abort();
  }

  #newPause(): AbortSignal {
    this.#pause = new AbortController();
    return this.#pause.signal;
  }

  /**
   * Hears of entries that it missed, and drops those that are folded everywhere. Apart from the beat:
   * a log that does not answer must not make a process look dead.
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
        // One process is enough for that.
        if (this.#owned.has(0)) await journal.trim(time.now() - keepJournalMs + 1);
      } catch (error) {
        logger.warn({ err: error }, 'the journal cannot be looked after and is asked again');
      }
    }
  }

  /** Shows that this process lives, and settles who folds what. */
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

  /** Where everything is stored, this moment. */
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

  /** Takes what nobody has who lives, up to this process' share. */
  async #takeShare(
    rows: readonly PartitionRow[],
    living: readonly string[],
    sharing: readonly string[],
  ): Promise<void> {
    const { ownerId, journal } = this.#options;
    const share = shareOf(ownerId, sharing, journal.partitions);
    // One that names this process, which does not hold it: its claim was never answered.
    const free = rows.filter(
      (row) =>
        !this.#owned.has(row.partition) &&
        (row.owner === null || row.owner === ownerId || !living.includes(row.owner)) &&
        !this.#isLeaving(row),
    );
    // Side by side: nobody folds them meanwhile. Another process may be quicker with some.
    while (free.length > 0 && this.#owned.size < share && this.#mayTake) {
      const some = free.splice(0, share - this.#owned.size);
      await Promise.all(some.map((row) => this.#claim(row)));
    }
  }

  /** Lets go of what names this process, which does not hold it: others wait for it in vain. */
  async #disclaim(rows: readonly PartitionRow[]): Promise<void> {
    const { database, ownerId } = this.#options;
    for (const row of rows) {
      if (row.owner !== ownerId || this.#owned.has(row.partition) || this.#isLeaving(row)) continue;
      await releasePartition(database, row.partition, row.epoch);
      database.announce('plimsoll_engines', ownerId);
    }
  }

  /** False once this process folds nothing any more. */
  get #mayTake(): boolean {
    return !this.#isStopped && !this.#outdated;
  }

  #isLeaving({ partition }: PartitionRow): boolean {
    return [...this.#leaving].some(({ number }) => number === partition);
  }

  async #claim(row: PartitionRow): Promise<void> {
    const { database, journal, time, ownerId, metrics, logger, checkpointMs } = this.#options;
    const stream = this.#stream;
    const claimed = await claimPartition(database, row, ownerId);
    if (!claimed || !stream) return;
    if (!this.#mayTake) {
      await releasePartition(database, claimed.partition, claimed.epoch);
      return;
    }
    const parts = {
      ...{ database, journal, stream, time, metrics, logger },
      rules: this.#rules,
      clocks: this.#clocks,
      turns: this.#turns,
      checkpointMs: checkpointMs ?? CHECKPOINT_MS,
      eventWriter: this.#eventWriter,
      newerFormat: (error: NewerFormat) => this.#giveUp(error),
    };
    this.#owned.set(row.partition, new Partition(claimed, parts, (lost) => this.#lose(lost)));
    logger.info({ partition: row.partition, epoch: claimed.epoch }, 'a partition was taken');
  }

  /** Lets go of what is above the share, if somebody is known to live who has too few. */
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

  /** A newer version must fold what the log has now: this one leaves everything to it. */
  #giveUp(error: NewerFormat): void {
    if (this.#outdated) return;
    this.#outdated = error;
    this.#options.logger.error({ err: error }, 'this process cannot fold the journal any more');
    for (const partition of this.#owned.values()) partition.abandon();
    this.#owned.clear();
    this.#members.leave().catch(() => {});
  }
}
