import { randomUUID } from 'node:crypto';
import { Registry } from 'prom-client';
import { systemTime } from '../../src/app/system-time.ts';
import { Claims, type ClaimsOptions } from '../../src/claims/claims.ts';
import { type BrokerTimeMs, formatBrokerTime } from '../../src/domain/broker-time.ts';
import { ClockViews } from '../../src/domain/live/clock-views.ts';
import type { TrackerDefinition } from '../../src/domain/live/tracker-definition.ts';
import { TrackerRules } from '../../src/domain/live/tracker-rule.ts';
import type { Timekeeper } from '../../src/domain/timekeeper.ts';
import type { AccountView } from '../../src/engine/account-view.ts';
import { Engine, type EngineOptions } from '../../src/engine/engine.ts';
import { createEngineMetrics } from '../../src/engine/engine-metrics.ts';
import { LiveReader } from '../../src/engine/live-reader.ts';
import type { Ingested } from '../../src/ingest/careful-writer.ts';
import { IngestAccounts } from '../../src/ingest/ingest-accounts.ts';
import { SnapshotReading } from '../../src/ingest/read-snapshots.ts';
import { SnapshotWriter } from '../../src/ingest/snapshot-writer.ts';
import type { Command, Commit } from '../../src/journal/entry.ts';
import type { Journal } from '../../src/journal/journal.ts';
import { SqlJournal } from '../../src/journal/sql-journal.ts';
import { Changes } from '../../src/services/changes.ts';
import type { Context } from '../../src/services/context.ts';
import { type Account, removeAccount } from '../../src/storage/account-store.ts';
import { Catalogue } from '../../src/storage/catalogue.ts';
import type { Database } from '../../src/storage/database.ts';
import { KeyRing } from '../../src/storage/key-ring.ts';
import { hideTracker, insertTracker } from '../../src/storage/tracker-store.ts';
import { silent } from '../servers/test-context.ts';
import { whenAvailable } from '../servers/when-available.ts';

export type LiveOptions = Partial<
  Pick<EngineOptions, 'time' | 'logger' | 'keepJournalMs' | 'checkpointMs'> &
    Pick<ClaimsOptions, 'localProcesses' | 'beatMs' | 'patienceMs'> & { ownerId: string }
>;

/** A snapshot of an account, in its currency, with deals as clients send them. */
export type Snapshot = {
  account: Pick<Account, 'id'>;
  timeMs: BrokerTimeMs;
  balance: number;
  equity?: number;
  deals?: readonly { id: string; profit: number; timeMs?: BrokerTimeMs }[];
};

/** Long enough that nothing happens automatically. */
export const NEVER_MS = 2 ** 30;

/**
 * The live side as one server process has it, on a database that others may share. Its engine beats
 * and stores when a test's time passes; everything else is as quick as it can.
 */
export class LiveProcess {
  readonly database: Database;
  readonly journal: Journal;
  readonly claims: Claims;
  readonly engine: Engine;
  readonly context: Context;
  readonly writer: SnapshotWriter;
  readonly reader: LiveReader;
  readonly #reading = new SnapshotReading();

  static async open(database: Database, options: LiveOptions = {}): Promise<LiveProcess> {
    const ownerId = options.ownerId ?? randomUUID();
    const journal = await SqlJournal.open(database, systemTime, ownerId);
    return new LiveProcess(database, journal, { ...options, ownerId });
  }

  static async start(database: Database, options: LiveOptions = {}): Promise<LiveProcess> {
    const process = await LiveProcess.open(database, options);
    await process.engine.start();
    return process;
  }

  private constructor(
    database: Database,
    journal: Journal,
    { ownerId: id, time = systemTime, logger = silent, ...rest }: LiveOptions & { ownerId: string },
  ) {
    this.database = database;
    this.journal = journal;
    const now = () => time.now();
    this.claims = new Claims({ database, time, id, logger, ...rest });
    const catalogue = new Catalogue(database);
    const changes = new Changes(database, journal, now);
    const rules = new TrackerRules(new ClockViews());
    this.context = {
      ...{ database, catalogue, rules, changes, now, newId: randomUUID, logger: silent },
      claims: this.claims,
      secrets: new KeyRing(database, [], now),
      random: () => 0.5,
    };
    const metrics = createEngineMetrics(new Registry());
    this.engine = new Engine({
      ...{ database, claims: this.claims, journal, time, rules, metrics, logger, ...rest },
    });
    const accounts = new IngestAccounts(database, catalogue, rules.clocks);
    const clock: Timekeeper = { ...systemTime, now };
    this.writer = new SnapshotWriter({ database, journal, time: clock, accounts });
    this.reader = new LiveReader(database, journal, systemTime, rules, this.engine);
  }

  /** Sends snapshots of one user's accounts, as one request. */
  async send(userId: string, snapshots: readonly Snapshot[], key?: string): Promise<Ingested> {
    await this.context.catalogue.refresh();
    const body = Buffer.from(JSON.stringify(snapshots.map(wireOf)));
    const columns = this.#reading.read(body, false);
    const idempotency = key === undefined ? undefined : { key, bodyHash: body.toString() };
    const sender = { userId, accountNumbers: undefined };
    return this.writer.write(columns, sender, body.length, idempotency);
  }

  tell(account: Account, command: Command): Promise<void> {
    return this.context.changes.record((tx) => tx.tell(account.number, { command }));
  }

  addTracker(account: Account, definition: TrackerDefinition): Promise<void> {
    return this.context.changes.record(async (tx) => {
      await insertTracker(tx, account.number, definition, 1);
      await tx.tell(account.number, { command: { kind: 'tracker-added', definition } });
    });
  }

  removeTracker(account: Account, trackerId: string): Promise<void> {
    return this.context.changes.record(async (tx) => {
      await hideTracker(tx, account.number, trackerId);
      await tx.tell(account.number, { command: { kind: 'tracker-removed', trackerId } });
    });
  }

  removeAccount({ number }: Account): Promise<void> {
    return this.context.changes.record(async (tx) => {
      await removeAccount(tx, number, 1);
      await tx.tell(number, { command: { kind: 'account-removed' } });
    });
  }

  /** Appends a commit unchanged. */
  append(commit: Commit): Promise<void> {
    return this.journal.append(commit);
  }

  /** The account's state, including everything acknowledged. */
  read<T>({ number }: Account, answer: (view: AccountView) => T): Promise<T | undefined> {
    return whenAvailable(() => this.reader.read(number, true, answer));
  }

  get owned(): number[] {
    return this.engine.partitions.map(({ partition }) => partition);
  }
}

const wireOf = ({ account, timeMs, balance, equity = balance, deals }: Snapshot) => ({
  accountId: account.id,
  brokerTime: formatBrokerTime(timeMs),
  balance,
  equity,
  ...(deals && {
    deals: deals.map(({ id, profit, timeMs: atMs = timeMs }) => ({
      id,
      type: 'DEAL_TYPE_BALANCE',
      profit,
      brokerTime: formatBrokerTime(atMs),
    })),
  }),
});
