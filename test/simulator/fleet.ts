import type { TrackerEventRecord } from '../../src/contract/operations/tracker-events.ts';
import type { PartitionState } from '../../src/engine/engine.ts';
import type { Faults } from './faults.ts';
import type { Ledger } from './ledger.ts';
import type { Targets } from './process.ts';
import type { SimulatedServer } from './simulated-server.ts';
import type { SimulatedCluster } from './simulated-stream.ts';
import { Machine, type World } from './world.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
/** As long as send-webhook.ts waits. */
const DELIVERY_MS = 10_000;

type FleetProcess = { machine: Machine; isStopping: boolean; stop(): Promise<void> };
type Slot<Process> = { machine: Machine; process: Process | undefined };

/** The processes of a run: each is restarted after its death, as by a service manager. */
export class Fleet<Process extends FleetProcess> {
  readonly #world: World;
  readonly #server: SimulatedServer;
  readonly #ledger: Ledger;
  readonly #begin: (machine: Machine, targets: Targets) => Promise<Process>;
  readonly #slots: Slot<Process>[];
  #starts = 0;
  #isEnding = false;

  /** `begin` starts a process on a machine; its webhook requests go to the targets. */
  constructor(
    parts: { world: World; server: SimulatedServer; ledger: Ledger },
    size: number,
    begin: (machine: Machine, targets: Targets) => Promise<Process>,
  ) {
    this.#world = parts.world;
    this.#server = parts.server;
    this.#ledger = parts.ledger;
    this.#begin = begin;
    this.#slots = Array.from({ length: size }, () => ({
      machine: this.#newMachine(),
      process: undefined,
    }));
  }

  start(): void {
    for (const slot of this.#slots) this.#run(slot);
  }

  /** One that takes requests. */
  anyProcess(): Process | undefined {
    const up = this.#slots.flatMap(({ process }) =>
      process && !process.isStopping && !process.machine.isDead ? [process] : [],
    );
    return up.length > 0 ? this.#world.random.pick(up) : undefined;
  }

  /** Carries out the faults of machines, up to a moment. */
  disturb(faults: Faults, untilMs: number): void {
    this.#often(faults.pauses, untilMs, (slot) => this.#pause(slot.machine));
    this.#often(faults.cuts, untilMs, (slot) => this.#cut(slot.machine));
    this.#often(faults.kills, untilMs, (slot) => this.#kill(slot));
    this.#often(faults.stops, untilMs, (slot) => this.#restart(slot));
    this.#often(faults.clocks, untilMs, (slot) => this.#setClock(slot.machine));
    this.#often(faults.outages, untilMs, () => this.#leave());
    const { cluster } = this.#server;
    if (!cluster) return;
    this.#often(cluster.faults.elections, untilMs, () => this.#elect(cluster));
    this.#often(cluster.faults.cuts, untilMs, (slot) => this.#cutStream(slot.machine));
  }

  /** All machines are well again. */
  calm(): void {
    this.#server.isAway = false;
    this.#server.cluster?.calm();
    for (const { machine } of this.#slots) {
      machine.clockAheadMs = 0;
      machine.isCutOffStream = false;
      if (machine.isPaused) machine.resume();
      this.#connect(machine);
    }
  }

  /** Each partition is folded by one process, up to the end of the journal. */
  checkOwners(
    partitions: number,
    head: number,
    statesOf: (process: Process) => readonly PartitionState[],
  ): void {
    for (let partition = 0; partition < partitions; partition += 1) {
      const owners = this.#slots.flatMap(({ process, machine }) =>
        (process ? statesOf(process) : [])
          .filter((state) => state.partition === partition)
          .map((state) => ({ ...state, name: machine.name })),
      );
      const [owner] = owners;
      if (!owner || owners.length > 1) {
        const names = owners.map(({ name }) => name).join(' and ') || 'nobody';
        this.#world.fail(`partition ${partition} is folded by ${names}`);
        return;
      }
      if (owner.position !== head) {
        this.#world.fail(`partition ${partition} stands at ${owner.position} of ${head}`);
      }
      if (owner.failing.length > 0) {
        this.#world.fail(`partition ${partition} is stalled: ${owner.failing.join(', ')}`);
      }
    }
  }

  async stop(): Promise<void> {
    this.#isEnding = true;
    await Promise.all(this.#slots.map(({ process }) => process?.stop()));
  }

  #newMachine(before?: Machine): Machine {
    this.#starts += 1;
    return new Machine(this.#world, `m${this.#starts}`, before);
  }

  #run(slot: Slot<Process>): void {
    const { machine } = slot;
    const begin = (): void => {
      this.#begin(machine, (from, url, body) => this.#take(from, url, body)).then(
        (process) => {
          if (slot.machine === machine) slot.process = process;
          this.#world.tell(() => `${machine.name} is up`);
        },
        (error: unknown) => {
          this.#world.tell(() => `${machine.name} does not start: ${error}`);
          machine.kill();
          this.#replace(slot, machine);
        },
      );
    };
    this.#world.after(this.#world.latencyMs(), begin, machine);
  }

  #replace(slot: Slot<Process>, machine: Machine): void {
    if (slot.machine !== machine || this.#isEnding) return;
    slot.process = undefined;
    slot.machine = this.#newMachine(machine);
    const next = slot.machine;
    next.clockAheadMs = machine.clockAheadMs;
    this.#world.after(100 + this.#world.random.next() * 2000, () => this.#run(slot), next);
  }

  /** This many times a minute, to any of them. */
  #often(perMinute: number, untilMs: number, disturb: (slot: Slot<Process>) => void): void {
    if (perMinute <= 0) return;
    const { random } = this.#world;
    const waitMs = (-Math.log(1 - random.next()) * MINUTE_MS) / perMinute;
    this.#world.after(waitMs, () => {
      if (this.#world.nowMs >= untilMs) return;
      disturb(random.pick(this.#slots));
      this.#often(perMinute, untilMs, disturb);
    });
  }

  /** From some milliseconds to some seconds, any magnitude as likely. */
  #aWhileMs(): number {
    return 10 * 800 ** this.#world.random.next();
  }

  #pause(machine: Machine): void {
    if (machine.isPaused || machine.isDead) return;
    this.#world.count('pauses');
    this.#world.tell(() => `${machine.name} is paused`);
    machine.pause();
    this.#world.after(this.#aWhileMs(), () => {
      if (!machine.isPaused) return;
      this.#world.tell(() => `${machine.name} goes on`);
      machine.resume();
    });
  }

  #cut(machine: Machine): void {
    if (machine.isCutOff) return;
    this.#world.count('cuts');
    this.#world.tell(() => `${machine.name} is cut off`);
    machine.isCutOff = true;
    this.#world.after(this.#aWhileMs(), () => this.#connect(machine));
  }

  #elect(cluster: SimulatedCluster): void {
    this.#world.count('elections');
    cluster.elect(this.#aWhileMs());
  }

  #cutStream(machine: Machine): void {
    if (machine.isCutOffStream) return;
    this.#world.count('stream cuts');
    this.#world.tell(() => `${machine.name} is cut off from the stream`);
    machine.isCutOffStream = true;
    this.#world.after(this.#aWhileMs(), () => {
      machine.isCutOffStream = false;
    });
  }

  #connect(machine: Machine): void {
    if (!machine.isCutOff) return;
    machine.isCutOff = false;
    this.#world.tell(() => `${machine.name} is connected again`);
    this.#world.after(1000, () => this.#server.reconnected(machine));
  }

  #kill(slot: Slot<Process>): void {
    const { machine } = slot;
    this.#world.count('kills');
    this.#world.tell(() => `${machine.name} is killed`);
    machine.kill();
    this.#replace(slot, machine);
  }

  /** As for an upgrade. */
  #restart(slot: Slot<Process>): void {
    const { machine, process } = slot;
    if (!process || process.isStopping) return;
    this.#world.count('restarts');
    this.#world.tell(() => `${machine.name} is told to stop`);
    process.isStopping = true;
    const over = (): void => {
      this.#world.tell(() => `${machine.name} has stopped`);
      machine.kill();
      this.#replace(slot, machine);
    };
    this.#world.after(0, () => process.stop().then(over, over), machine);
    // A service manager kills processes that do not end.
    this.#world.after(10_000, () => {
      if (!machine.isDead) over();
    });
  }

  #setClock(machine: Machine): void {
    this.#world.count('clock changes');
    const ahead = [0, HOUR_MS, -HOUR_MS, 3 * 24 * HOUR_MS, -40_000, 40_000];
    machine.clockAheadMs = this.#world.random.pick(ahead);
    if (machine.clockAheadMs >= 24 * HOUR_MS) this.#ledger.areKeysForgotten = true;
    this.#world.tell(() => `${machine.name}'s clock is ${machine.clockAheadMs} ms ahead`);
  }

  #leave(): void {
    this.#world.count('outages');
    this.#world.tell(() => 'the database is away');
    this.#server.leave();
    this.#world.after(this.#aWhileMs(), () => {
      this.#server.isAway = false;
    });
  }

  /** Usually accepts a webhook's requests. */
  #take(from: Machine, url: URL, body: string): Promise<boolean> {
    const world = this.#world;
    return new Promise((resolve) => {
      const isLost = world.random.chance(this.#server.faults.lost);
      const isBad = world.random.chance(this.#server.faults.unanswered);
      if (isLost) {
        world.after(DELIVERY_MS, () => resolve(false), from);
        return;
      }
      world.after(world.latencyMs(), () => {
        const { data } = JSON.parse(body) as { data: TrackerEventRecord };
        const { sequenceNumber } = data;
        const user = url.hostname;
        this.#ledger.posted.set(user, [...(this.#ledger.posted.get(user) ?? []), sequenceNumber]);
        world.after(world.latencyMs(), () => resolve(!isBad), from);
      });
    });
  }
}
