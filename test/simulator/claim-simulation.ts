import { Claims } from '../../src/claims/claims.ts';
import { sleep } from '../../src/domain/timekeeper.ts';
import { type Claim, type ClaimKind, isClaimed } from '../../src/storage/claim-store.ts';
import type { Row } from '../../src/storage/database.ts';
import { drawFaults, NO_FAULTS } from './faults.ts';
import { Fleet } from './fleet.ts';
import { Ledger } from './ledger.ts';
import { SimulatedDatabase } from './simulated-database.ts';
import type { SimulatedServer } from './simulated-server.ts';
import { type Given, inWorld, type Outcome, type Template } from './simulation.ts';
import type { Machine, World } from './world.ts';

const BEAT_MS = 250;
const PATIENCE_MS = 1000;
/** More than needed for declaring a process gone, and for the work after it. */
const REST_MS = 25_000;
const WORK_WITHIN_MS = 8000;
const STOP_WITHIN_MS = 10_000;
const KINDS: readonly ClaimKind[] = [
  ...(['partition', 'breach-action', 'profile', 'webhook', 'import', 'mail'] as const),
];
const KEYS = ['a', 'b'];

/** Invariants of claims, and of the data stored for them. */
const GUARDS = `
  create table sim_work (fence integer, kind text, key text, at_ms real);
  create table sim_fence (last integer);
  insert into sim_fence values (0);
  create trigger sim_fence_once after insert on claim begin
    select case when new.fence <= (select last from sim_fence)
      then raise(abort, 'simulator: a fence was given again') end;
    update sim_fence set last = new.fence;
  end;
  create trigger sim_work_of_claim before insert on sim_work
    when not exists (select 1 from claim where fence = new.fence) begin
    select raise(abort, 'simulator: work was stored for a claim that is gone');
  end;
`;

/** A process that does jobs of all kinds: some for long, some over and over. */
class Worker {
  readonly machine: Machine;
  readonly claims: Claims;
  isStopping = false;
  readonly #server: SimulatedServer;
  readonly #database: SimulatedDatabase;
  readonly #stopping = new AbortController();
  readonly #doing = new Map<string, Promise<void>>();
  #running: Promise<void> = Promise.resolve();

  private constructor(machine: Machine, server: SimulatedServer) {
    const { time, world, name } = machine;
    this.machine = machine;
    this.#server = server;
    this.#database = new SimulatedDatabase(server, machine);
    this.claims = new Claims({
      database: new SimulatedDatabase(server, machine),
      ...{ time, id: name },
      // Not every place shows that a process has ended.
      ...(world.random.chance(0.5) ? { localProcesses: machine.localProcesses } : {}),
      ...{ beatMs: BEAT_MS, patienceMs: PATIENCE_MS },
      logger: { warn: (_, message) => world.tell(() => `${name}: ${message}`) },
    });
  }

  static async start(machine: Machine, server: SimulatedServer): Promise<Worker> {
    const worker = new Worker(machine, server);
    await worker.claims.start();
    worker.#running = worker.#run();
    return worker;
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    this.#stopping.abort();
    await this.#running;
    await Promise.all(this.#doing.values());
    await this.claims.stop();
  }

  async #run(): Promise<void> {
    const { random } = this.machine.world;
    while (!this.#stopping.signal.aborted) {
      const [kind, key] = [random.pick(KINDS), random.pick(KEYS)];
      const job = `${kind} ${key}`;
      if (!this.#doing.has(job)) {
        const done = this.#try(kind, key)
          .catch(() => {})
          .finally(() => this.#doing.delete(job));
        this.#doing.set(job, done);
      }
      await sleep(this.machine.time, random.next() * 150, this.#stopping.signal);
    }
  }

  async #try(kind: ClaimKind, key: string): Promise<void> {
    const { time, world } = this.machine;
    let isLost = false;
    const claim = await this.claims.take(kind, key, () => {
      isLost = true;
    });
    if (!claim) return;
    world.count('claims taken');
    try {
      const untilMs = time.elapsed() + world.random.next() * 4000;
      while (!isLost && !this.#stopping.signal.aborted && time.elapsed() < untilMs) {
        if (world.random.chance(0.5)) await this.#store(claim);
        else await this.#act(claim);
        await sleep(time, world.random.next() * 100, this.#stopping.signal);
      }
    } finally {
      await this.#end(claim);
    }
  }

  /** Lets go with the last outcome, or without one. */
  #end(claim: Claim): Promise<void> {
    if (this.machine.world.random.chance(0.5)) return this.claims.release(claim);
    return this.claims.releasing(claim, (release) =>
      this.#database.transaction(async (tx) => {
        await this.#insert(tx, claim);
        // Its claim is the only one that it may end.
        await release(tx);
      }),
    );
  }

  #store(claim: Claim): Promise<void> {
    return this.#database.transaction((tx) => this.#insert(tx, claim));
  }

  async #insert(tx: Parameters<typeof isClaimed>[0], { fence, kind, key }: Claim): Promise<void> {
    if (!(await isClaimed(tx, fence))) return this.machine.world.count('claims found lost');
    await tx.run('insert into sim_work (fence, kind, key, at_ms) values ($1, $2, $3, $4)', [
      ...[fence, kind, key, this.machine.world.nowMs],
    ]);
  }

  /** Irreversible work outside of the database: no other process may have the job by then. */
  async #act({ fence, kind, key }: Claim): Promise<void> {
    const ask = 'select 1 as held from claim where fence = $1';
    const isHeld = await this.claims.fresh(() => this.#database.get(ask, [fence]));
    if (!isHeld) return;
    const { world, name } = this.machine;
    world.count('acts');
    if (!(await this.#server.read('get', ask, [fence])))
      world.fail(`${name} acts for ${kind} ${key}, of which it has lost the claim`);
  }
}

/** Lives through a world in which processes share out jobs, and judges it. */
export function simulateClaims(
  template: Template,
  seed: number,
  { isTold = false, given = {} as Pick<Given, 'faults'> } = {},
): Promise<Outcome> {
  return inWorld(template, seed, isTold, async (world, server) => {
    const { random } = world;
    server.writer.exec(GUARDS);
    const faults = { ...drawFaults(random), ...given.faults };
    world.tell(() => `faults: ${JSON.stringify(faults)}`);
    const parts = { world, server, ledger: new Ledger() };
    const fleet = new Fleet(parts, random.between(2, 4), (machine) =>
      Worker.start(machine, server),
    );
    fleet.start();
    await world.runUntil(1500);
    const chaosMs = 4000 + random.next() * 20_000;
    server.faults = faults;
    fleet.disturb(faults, chaosMs);
    await world.runUntil(chaosMs);
    server.faults = NO_FAULTS;
    fleet.calm();
    await world.runUntil(chaosMs + REST_MS);
    await judge(world, server, fleet);
  });
}

/** Each job is done again in the end, and an orderly stop leaves nothing behind. */
async function judge(world: World, server: SimulatedServer, fleet: Fleet<Worker>): Promise<void> {
  if (world.failure !== undefined) return;
  for (const kind of KINDS) {
    for (const key of KEYS) {
      const sql = 'select max(at_ms) as last from sim_work where kind = $1 and key = $2';
      const row = await server.writer.get<Row & { last: number | null }>(sql, [kind, key]);
      const silentMs = world.nowMs - (row?.last ?? 0);
      if (silentMs > WORK_WITHIN_MS) return world.fail(`nobody does ${kind} ${key}`);
    }
  }
  let areStopped = false;
  void fleet.stop().then(() => {
    areStopped = true;
  });
  await world.runUntil(world.nowMs + STOP_WITHIN_MS);
  if (!areStopped) return world.fail('a process does not stop');
  for (const table of ['claim', 'process']) {
    const left = await server.writer.all(`select * from ${table}`);
    if (left.length > 0) world.fail(`left in ${table}: ${JSON.stringify(left)}`);
  }
}
