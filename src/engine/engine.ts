import { TrackerRules } from '../domain/live/tracker-rule.ts';
import type { Database } from '../storage/database.ts';
import { partitionCount, partitionOf, readJournalHead } from '../storage/journal-store.ts';
import {
  beatPartitions,
  claimPartition,
  type PartitionRow,
  readPartitions,
} from '../storage/partition-store.ts';
import type { EngineMetrics } from './engine-metrics.ts';
import type { JournalEntry } from './journal-entry.ts';
import { ClockViews } from './load-cells.ts';
import { type AccountView, Partition } from './partition.ts';
import { Sequencer } from './sequencer.ts';

export type EngineOptions = {
  database: Database;
  now: () => number;
  /** Names this process among the owners of partitions. */
  ownerId: string;
  metrics: EngineMetrics;
  logger: {
    info(fields: object, message: string): void;
    warn(fields: object, message: string): void;
    error(fields: object, message: string): void;
  };
  checkpointMs?: number;
  keepJournalMs?: number;
  /** How often an owner shows that it lives, and how long others wait for that. */
  beatMs?: number;
  patienceMs?: number;
};

const CHECKPOINT_MS = 1000;
const BEAT_MS = 1000;
const PATIENCE_MS = 4000;
/** Time that an entry handed over in memory has to get here before the journal is read. */
const HANDED_WITHIN_MS = 2;

/**
 * The live side: owns partitions of the journal, folds them and keeps their accounts in memory.
 * Each owner moves a beat in the partition's row; when one that is not free stands still for as long
 * as a standby's patience, by the standby's own clock, the standby takes the partition over. A paused
 * owner that wakes up meets another epoch and can write nothing. A connection-bound lock would not
 * see an owner that is paused or cut off from the network, and would need a connection of its own.
 */
export class Engine {
  readonly #options: EngineOptions;
  readonly #owned = new Map<number, Partition>();
  readonly #count: number;
  readonly #rules = new TrackerRules();
  readonly #clocks = new ClockViews();
  readonly #sequencer: Sequencer;
  /** What was last seen of others' partitions, and since when it stands still. */
  readonly #others = new Map<number, { row: PartitionRow; sinceMs: number }>();
  #timer: NodeJS.Timeout | undefined;
  #hearing: NodeJS.Timeout | undefined;
  #heardPosition = 0;
  #looking: Promise<void> = Promise.resolve();
  #deafen: (() => void) | undefined;
  #stopped = false;

  constructor(options: EngineOptions) {
    this.#options = options;
    this.#count = partitionCount(options.database.kind);
    this.#sequencer = new Sequencer(options.database, options.logger);
  }

  /** Owns what is free when it resolves, and goes on looking. */
  async start(): Promise<void> {
    this.#deafen = this.#options.database.listen('plimsoll_journal', (payload) =>
      this.#hear(payload),
    );
    this.#sequencer.start();
    this.#looking = this.#look();
    await this.#looking;
    this.#planLook();
  }

  /** Takes entries by partition that have just been committed at a position. */
  hand(position: number, entries: ReadonlyMap<number, JournalEntry>): void {
    for (const [number, partition] of this.#owned) partition.hand(position, entries.get(number));
  }

  /**
   * The account as it stands in this process' memory, if it is there; with `realTime` once all that was
   * handed over is folded.
   */
  async viewOf(
    accountId: string,
    createdAtMs: number,
    realTime: boolean,
  ): Promise<AccountView | undefined> {
    const partition = this.#owned.get(partitionOf(accountId, this.#count));
    if (realTime) await partition?.settle();
    return partition?.viewOf(accountId, createdAtMs);
  }

  get ownerId(): string {
    return this.#options.ownerId;
  }

  get ownedPartitions(): number {
    return this.#owned.size;
  }

  /** Numbers of the partitions here that something other than an outage keeps from going on. */
  get stalledPartitions(): number[] {
    return [...this.#owned.values()].filter((each) => each.isStalled).map(({ number }) => number);
  }

  /** Waits until what the journal holds now is folded and its events have numbers. */
  async settle(): Promise<void> {
    const head = await readJournalHead(this.#options.database);
    for (const partition of this.#owned.values()) partition.catchUp(head.position);
    for (const partition of this.#owned.values()) await partition.settle();
    await this.#sequencer.settle();
  }

  /** Writes what is folded and lets go of everything. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#hearing);
    this.#deafen?.();
    await this.#looking;
    for (const partition of this.#owned.values()) await partition.stop();
    await this.#sequencer.stop();
    this.#owned.clear();
  }

  #planLook(): void {
    if (this.#stopped) return;
    this.#timer = setTimeout(() => {
      this.#looking = this.#looking
        .then(() => this.#look())
        .catch((error: unknown) => {
          this.#options.logger.warn({ err: error }, 'partitions can not be looked after');
        })
        .finally(() => this.#planLook());
    }, this.#options.beatMs ?? BEAT_MS);
  }

  /** Shows that this process lives, takes what others left, and hears of entries that it missed. */
  async #look(): Promise<void> {
    const { database, ownerId, metrics, patienceMs = PATIENCE_MS } = this.#options;
    const isAlone = database.kind === 'sqlite';
    if (!isAlone && this.#owned.size > 0) await beatPartitions(database, ownerId);
    if (!isAlone || this.#owned.size === 0) {
      for (const row of await readPartitions(database, this.#count)) {
        const owned = this.#owned.get(row.partition);
        if (owned && owned.epoch >= row.epoch) continue;
        if (owned) this.#lose(owned);
        if (isAlone || row.owner === null || this.#stoodStill(row, patienceMs)) {
          await this.#claim(row);
        }
      }
    }
    metrics.ownedPartitions.set(this.#owned.size);
    this.#catchUp((await readJournalHead(database)).position);
  }

  #stoodStill(row: PartitionRow, patienceMs: number): boolean {
    const nowMs = performance.now();
    const seen = this.#others.get(row.partition);
    if (seen?.row.epoch === row.epoch && seen.row.beat === row.beat) {
      return nowMs - seen.sinceMs >= patienceMs;
    }
    this.#others.set(row.partition, { row, sinceMs: nowMs });
    return false;
  }

  async #claim(row: PartitionRow): Promise<void> {
    const { database, now, ownerId, metrics, logger } = this.#options;
    const claimed = await claimPartition(database, row, ownerId);
    if (!claimed || this.#stopped) return;
    const parts = {
      database,
      now,
      metrics,
      logger,
      rules: this.#rules,
      clocks: this.#clocks,
      checkpointMs: this.#options.checkpointMs ?? CHECKPOINT_MS,
      keepJournalMs: this.#options.keepJournalMs ?? 0,
      partitions: this.#count,
      numbersWanted: () => this.#sequencer.wake(),
    };
    this.#owned.set(row.partition, new Partition(claimed, parts, (lost) => this.#lose(lost)));
    logger.info({ partition: row.partition, epoch: claimed.epoch }, 'a partition was taken');
  }

  #lose(partition: Partition): void {
    partition.abandon();
    if (this.#owned.get(partition.number) !== partition) return;
    this.#owned.delete(partition.number);
    this.#options.metrics.ownedPartitions.set(this.#owned.size);
    this.#options.logger.warn({ partition: partition.number }, 'a partition was lost');
  }

  #hear(payload: string): void {
    const [position = '', origin] = payload.split(' ');
    if (origin === this.ownerId) return;
    this.#hearOf(position === '' ? Number.POSITIVE_INFINITY : Number(position));
  }

  #hearOf(position: number): void {
    this.#heardPosition = Math.max(this.#heardPosition, position);
    if (this.#stopped || this.#hearing) return;
    this.#hearing = setTimeout(() => {
      const heard = this.#heardPosition;
      this.#hearing = undefined;
      this.#heardPosition = 0;
      if (Number.isFinite(heard)) this.#catchUp(heard);
      else this.#looking = this.#looking.then(() => this.#look()).catch(() => {});
    }, HANDED_WITHIN_MS);
  }

  #catchUp(position: number): void {
    for (const partition of this.#owned.values()) partition.catchUp(position);
  }
}
