import { Registry } from 'prom-client';
import { systemTime } from '../../src/app/system-time.ts';
import { ClockViews } from '../../src/domain/live/clock-views.ts';
import { TrackerRules } from '../../src/domain/live/tracker-rule.ts';
import { Backlog } from '../../src/engine/backlog.ts';
import { Checkpointer } from '../../src/engine/checkpointer.ts';
import { createEngineMetrics } from '../../src/engine/engine-metrics.ts';
import { EventPublisher } from '../../src/engine/event-publisher.ts';
import { EventWriter } from '../../src/engine/event-writer.ts';
import { PartitionFold } from '../../src/engine/partition-fold.ts';
import { Persistence } from '../../src/engine/persistence.ts';
import { Quarantines } from '../../src/engine/quarantines.ts';
import { AccountMemory, type TrackedAccount } from '../../src/engine/tracked-account.ts';
import type { JournalEntry } from '../../src/journal/entry.ts';
import type { Database, Row, Transaction } from '../../src/storage/database.ts';

const silent = { info() {}, warn() {}, error() {} };

/** Takes every statement and stores nothing, so that only the engine's own work is left. */
const TAKES_ALL: Transaction = {
  kind: 'sqlite',
  all: async () => [],
  // Whoever asks whether the partition is its own is told so.
  get: async <T extends Row>() => ({ owned: 1 }) as Row as T,
  run: async () => 1,
  lock: async () => {},
  tryLock: async () => true,
  atEnd: () => {},
  script: async () => {},
};

const NOWHERE: Database = {
  ...TAKES_ALL,
  isShared: false,
  failure: undefined,
  transaction: (work) => work(TAKES_ALL),
  listen: () => () => {},
  announce: () => {},
  close: async () => {},
};

/** The fold of a partition and its checkpoints, without a database. */
export class FoldWorld {
  readonly memory = new AccountMemory(new TrackerRules(new ClockViews()));
  readonly #fold: PartitionFold;
  readonly #checkpointer: Checkpointer;
  #position = 0;

  constructor() {
    const { memory } = this;
    const partition = 0;
    const epoch = 1;
    const persistence = new Persistence(partition, systemTime, silent, () => {});
    const common = { database: NOWHERE, partition, epoch, persistence };
    const writer = new EventWriter(NOWHERE, Date.now, () => {});
    const publisher = new EventPublisher({ partition, epoch, persistence, writer });
    const metrics = createEngineMetrics(new Registry());
    const backlog = new Backlog(0, memory.minutes);
    this.#checkpointer = new Checkpointer({
      ...{ ...common, backlog, time: systemTime, publisher, recent: memory.recent, metrics },
      ...{ checkpointMs: 1000, partitions: 1 },
    });
    const quarantines = new Quarantines(backlog, silent);
    const settling = { note: () => {} };
    this.#fold = new PartitionFold({
      ...{ memory, backlog, publisher, quarantines, settling },
      folded: () => {},
    });
  }

  admit(account: TrackedAccount): void {
    const { number } = account;
    const loaded = { number, park: undefined, position: 0, account, damage: undefined };
    this.#fold.admit(new Map([[number, 0]]), [loaded]);
  }

  apply(entry: JournalEntry): void {
    this.#position += 1;
    this.#fold.apply(this.#position, entry);
  }

  /** As when it is written to a database: all bytes are made, and given up a few at a time. */
  checkpoint(): Promise<void> {
    return this.#checkpointer.pass();
  }
}
