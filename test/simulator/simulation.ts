import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { receiptOf } from '../../src/journal/commit-codec.ts';
import { migrate } from '../../src/storage/drivers/migrate.ts';
import { openSqlite } from '../../src/storage/drivers/sqlite.ts';
import { SqliteConnection } from '../../src/storage/drivers/sqlite-connection.ts';
import { EVENT_KINDS } from '../../src/words/events.ts';
import { Random } from '../simulation/random.ts';
import { Calls } from './calls.ts';
import { checkStored, commitsLeft } from './check-stored.ts';
import { Clients } from './clients.ts';
import { Desk } from './desk.ts';
import {
  drawFaults,
  drawStreamFaults,
  type Faults,
  NO_FAULTS,
  NO_STREAM_FAULTS,
} from './faults.ts';
import { Feeder } from './feeder.ts';
import { Fleet } from './fleet.ts';
import { drawHabits, type Habits } from './habits.ts';
import { Ledger } from './ledger.ts';
import { SimulatedProcess } from './process.ts';
import { SimulatedServer } from './simulated-server.ts';
import { SimulatedCluster } from './simulated-stream.ts';
import { GUARDS, Truth } from './truth.ts';
import { Verdict } from './verdict.ts';
import { World } from './world.ts';

/** The quiet time at the end: longer than any patience and retry of the engine. */
const REST_MS = 15_000;
/** Work delayed by leases of dead processes and pauses after slow checkpoints is done by then. */
const LONG_REST_MS = 60_000;
const STOP_WITHIN_MS = 15_000;
export const USERS = ['ann', 'bob'] as const;

export type Outcome = {
  seed: number;
  failure: string | undefined;
  counts: Map<string, number>;
  history: string[];
};

/** A folder with an empty database, which runs are begun with. */
export class Template {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async make(): Promise<Template> {
    const folder = await mkdtemp(join(tmpdir(), 'plimsoll-simulator-'));
    const database = openSqlite(folder);
    await migrate(database);
    await database.close();
    const file = new SqliteConnection(join(folder, 'plimsoll.db'));
    file.exec(GUARDS);
    for (const user of USERS) {
      file.exec(`insert into app_user (id, email, created_at_ms) values ('${user}', '${user}@x', 0);
        insert into webhook (id, user_id, url, events, delivery, secret, secret_key_id,
          created_at_ms, last_number, wanted_number, attempts, due_at_ms, took_ms)
        values ('${user}', '${user}', 'http://${user}/', '${EVENT_KINDS.join(' ')}', 'single',
          x'', 'simulated', 0, 0, 0, 0, 0, 0)`);
    }
    file.close();
    return new Template(folder);
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** Settings of a world independent of its seed. */
export type Given = { faults?: Partial<Faults>; habits?: Partial<Habits> };

/** Reads it from JSON. Throws if that names a fault or habit that does not exist. */
export function readGiven(json: string): Given {
  const given = JSON.parse(json) as Record<string, object>;
  const known: Record<string, object> = { faults: NO_FAULTS, habits: drawHabits(new Random(0)) };
  for (const [kind, values] of Object.entries(given)) {
    const names = Object.keys(known[kind] ?? {});
    for (const name of Object.keys(values))
      if (!names.includes(name)) throw new Error(`${kind} has no ${name}: ${names.join(', ')}`);
  }
  return given;
}

/**
 * Lives through some seconds of a world that follows from the seed, and judges them. In every other
 * one the journal is a stream.
 */
export function simulate(
  template: Template,
  seed: number,
  { isTold = false, hasStream = seed % 2 === 1, given = {} as Given } = {},
): Promise<Outcome> {
  return inWorld(template, seed, isTold, (world, server) =>
    new Run(world, server, hasStream, given).live(),
  );
}

/** Runs a world with a separate database; an unhandled rejection fails it. */
export async function inWorld(
  template: Template,
  seed: number,
  isTold: boolean,
  live: (world: World, server: SimulatedServer) => Promise<void>,
): Promise<Outcome> {
  const world = new World(seed, isTold);
  const file = join(template.folder, `run-${seed}.db`);
  await copyFile(join(template.folder, 'plimsoll.db'), file);
  const server = new SimulatedServer(world, file);
  const onRejection = (reason: unknown): void =>
    world.fail(`nobody cares for ${reason instanceof Error ? reason.stack : String(reason)}`);
  process.on('unhandledRejection', onRejection);
  try {
    await live(world, server);
  } finally {
    process.off('unhandledRejection', onRejection);
    server.close();
    for (const end of ['', '-wal', '-shm']) await rm(`${file}${end}`, { force: true });
  }
  const { failure, counts, history } = world;
  return { seed, failure, counts, history };
}

class Run {
  readonly #world: World;
  readonly #server: SimulatedServer;
  readonly #truth: Truth;
  readonly #ledger = new Ledger();
  readonly #calls: Calls;
  readonly #fleet: Fleet<SimulatedProcess>;
  readonly #faults: Faults;
  readonly #given: Given;
  readonly #partitions: number;
  #streamFaults = NO_STREAM_FAULTS;

  constructor(world: World, server: SimulatedServer, hasStream: boolean, given: Given) {
    this.#given = given;
    this.#world = world;
    this.#server = server;
    this.#truth = new Truth(world, hasStream);
    this.#calls = new Calls(world);
    server.onCommit = (writer) => this.#truth.observe(writer);
    const { random } = world;
    this.#faults = { ...drawFaults(random), ...given.faults };
    this.#partitions = random.between(1, 4);
    for (let partition = 1; partition < this.#partitions; partition += 1) {
      server.writer.exec(
        `insert into journal_partition (partition_id, position) values (${partition}, 0)`,
      );
    }
    const parts = { world, server, ledger: this.#ledger };
    this.#fleet = new Fleet(parts, random.between(1, 3), (machine, targets) =>
      SimulatedProcess.start(machine, server, targets),
    );
    world.tell(() => `faults: ${JSON.stringify(this.#faults)}`);
    if (hasStream) this.#addStream();
  }

  #addStream(): void {
    const { random } = this.#world;
    const cluster = new SimulatedCluster(this.#world);
    cluster.onTaken = (message) => this.#truth.seeMessage(message);
    cluster.onPurge = async (until) => {
      const sql = 'select min(position) as folded from journal_partition';
      const folded = Number((await this.#server.writer.get(sql))?.folded);
      return until > folded ? `${until} was purged, ${folded} is folded everywhere` : undefined;
    };
    this.#server.cluster = cluster;
    // Small ones make commits be split.
    this.#server.maxMessageBytes = random.pick([700, 2000, 1_000_000]);
    this.#streamFaults = drawStreamFaults(random);
    this.#world.tell(() => `faults of the stream: ${JSON.stringify(this.#streamFaults)}`);
  }

  async live(): Promise<void> {
    const world = this.#world;
    const chaosMs = 4000 + world.random.next() * 12_000;
    this.#fleet.start();
    this.#startClients(chaosMs);
    await world.runUntil(1500);
    this.#server.faults = this.#faults;
    if (this.#server.cluster) this.#server.cluster.faults = this.#streamFaults;
    this.#fleet.disturb(this.#faults, chaosMs);
    await world.runUntil(chaosMs);
    this.#server.faults = NO_FAULTS;
    this.#fleet.calm();
    await world.runUntil(chaosMs + REST_MS);
    const statesOf = ({ engine }: SimulatedProcess) => engine.partitions;
    this.#fleet.checkOwners(this.#partitions, this.#truth.commits.length, statesOf);
    while (world.nowMs < chaosMs + LONG_REST_MS && !(await this.#isDone())) {
      await world.runUntil(world.nowMs + 2000);
    }
    if (world.failure === undefined) await this.#judge();
  }

  #startClients(untilMs: number): void {
    const world = this.#world;
    const { random } = world;
    const habits = { ...drawHabits(random), ...this.#given.habits };
    world.tell(() => `habits: ${JSON.stringify(habits)}`);
    for (const [place, userId] of USERS.entries()) {
      const parts = {
        world,
        calls: this.#calls,
        ledger: this.#ledger,
        truth: this.#truth,
        anyProcess: () => this.#fleet.anyProcess(),
        untilMs,
      };
      const ids = Array.from({ length: habits.accounts }, (_, index) => `account${index}`);
      const clients = new Clients(parts, userId, ids, new Desk(world, userId, habits));
      const own = [
        clients.write(habits),
        clients.poll(`${userId}'s poller`, undefined, habits),
        clients.poll(`${userId}'s poller of ${ids[0]}`, ids[0], habits),
        clients.read(),
      ];
      if (place < habits.feeders) {
        const isEnrolled = habits.enrolments > 0;
        own.push(new Feeder(parts, userId, random.between(1, 2 ** 30), isEnrolled).live());
      }
      for (const each of own)
        each.catch((error: unknown) => world.fail(`a client broke: ${error}`));
    }
  }

  /** The first message of the stream that should have been dropped. */
  #firstLeft(utcMs: number): number | undefined {
    const { cluster } = this.#server;
    const left = cluster?.messages[cluster.first - 1];
    // One that a clock dates into the future waits for it, and those after it with it.
    return left && receiptOf(left.body) < utcMs ? left.sequence : undefined;
  }

  /** Webhooks got everything, deleted accounts are swept, and the journal is trimmed. */
  async #isDone(): Promise<boolean> {
    if ((await commitsLeft(this.#server.writer, this.#world.utcMs)) > 0) return false;
    if (await this.#server.writer.get('select 1 as left from removed_account')) return false;
    if (await this.#server.writer.get('select 1 as left from journal_outbox')) return false;
    if (this.#firstLeft(this.#world.utcMs) !== undefined) return false;
    return USERS.every((userId) => {
      const posted = new Set(this.#ledger.posted.get(userId));
      return this.#truth.events.every(
        ({ accountNumber, sequenceNumber }) =>
          this.#truth.lives.get(accountNumber)?.userId !== userId ||
          this.#truth.lives.get(accountNumber)?.untilMs !== Infinity ||
          posted.has(sequenceNumber),
      );
    });
  }

  async #judge(): Promise<void> {
    const world = this.#world;
    for (const open of this.#calls.openSince(world.nowMs - REST_MS / 2)) {
      return world.fail(`never answered: ${open}`);
    }
    const commits = await this.#truth.counted(this.#server.writer);
    if (world.failure !== undefined) return;
    const verdict = new Verdict(this.#truth, this.#ledger, this.#partitions, commits);
    verdict.checkAll();
    const [first] = verdict.failures;
    if (first !== undefined) return world.fail(`${first} (${verdict.failures.length} in all)`);
    const { utcMs } = world;
    let areStopped = false;
    this.#fleet.stop().then(
      () => {
        areStopped = true;
      },
      (error: unknown) => world.fail(`a process broke while it stopped: ${error}`),
    );
    await world.runUntil(world.nowMs + STOP_WITHIN_MS);
    if (!areStopped) return world.fail('a process does not stop');
    if (world.failure !== undefined) return;
    const wrong = await checkStored(this.#server.writer, this.#truth, verdict, utcMs);
    if (wrong !== undefined) world.fail(wrong);
    const left = this.#firstLeft(utcMs);
    if (left !== undefined) world.fail(`messages from ${left} on were never dropped`);
    world.counts.set('commits', this.#truth.commits.length);
    world.counts.set('events', this.#truth.events.length);
  }
}
