import {
  JournalUnavailable,
  type Stream,
  type StreamMessage,
  type StreamState,
} from '../../src/journal/jetstream/stream.ts';
import { NO_STREAM_FAULTS, type StreamFaults } from './faults.ts';
import type { Machine, World } from './world.ts';

/**
 * Ids are remembered this long: longer than a publisher tries, far less than an outage may last.
 */
const REMEMBERED_MS = 8000;
/** A try that comes late comes within this; others may send an outbox's rows at any time. */
const MOST_LATE_MS = 3500;
const MOST_LATE_SHARED_MS = 12_000;
const ANSWER_MS = 2000;

type Stored = StreamMessage & { atMs: number };

/** The cluster that holds the stream: it keeps accepted messages, whoever leads. */
export class SimulatedCluster {
  readonly world: World;
  readonly messages: Stored[] = [];
  faults: StreamFaults = NO_STREAM_FAULTS;
  /** Checks accepted messages, before any client. */
  onTaken: (message: StreamMessage) => void = () => {};
  /** Tells why messages up to a number must not be dropped yet. */
  onPurge: (until: number) => Promise<string | undefined> = async () => undefined;
  readonly #heard: { machine: Machine; heard: (sequence: number) => void }[] = [];
  readonly #ids = new Map<string, Stored>();
  /** No one leads until then, and until then a former leader may still answer. */
  #leaderlessUntilMs = 0;
  #staleUntilMs = 0;
  #staleLast = 0;
  #first = 1;

  constructor(world: World) {
    this.world = world;
  }

  get last(): number {
    return this.messages.length;
  }

  get first(): number {
    return this.#first;
  }

  get isLed(): boolean {
    return this.world.nowMs >= this.#leaderlessUntilMs;
  }

  /** The leader is gone; after a while there is another. One that was only paused comes back. */
  elect(ms: number): void {
    this.world.tell(() => `the stream has no leader for ${ms.toFixed(0)} ms`);
    this.#staleLast = this.last;
    this.#leaderlessUntilMs = Math.max(this.#leaderlessUntilMs, this.world.nowMs + ms);
    this.#staleUntilMs = this.#leaderlessUntilMs + this.world.random.next() * 1000;
  }

  calm(): void {
    this.#leaderlessUntilMs = 0;
    this.#staleUntilMs = 0;
    this.faults = NO_STREAM_FAULTS;
  }

  /** Accepts a message, unless the id is known; returns its sequence number. */
  take(id: string, body: Uint8Array): number {
    const known = this.#ids.get(id);
    if (known && this.world.nowMs - known.atMs < REMEMBERED_MS) return known.sequence;
    if (known) this.world.count('copies taken');
    const message = { sequence: this.last + 1, id, body, atMs: this.world.nowMs };
    this.messages.push(message);
    this.#ids.set(id, message);
    this.onTaken(message);
    return message.sequence;
  }

  /** A replica's messages; some replicas are behind. */
  seen(): number {
    const { random, nowMs } = this.world;
    if (!random.chance(this.faults.behind)) return this.last;
    const asOfMs = nowMs - random.next() * 500;
    let last = this.last;
    while (last > 0 && (this.messages[last - 1]?.atMs ?? 0) > asOfMs) last -= 1;
    return last;
  }

  state(): StreamState {
    const isStale = this.world.nowMs < this.#staleUntilMs && this.world.random.chance(0.5);
    return { first: this.#first, last: isStale ? this.#staleLast : this.last };
  }

  async purge(until: number): Promise<void> {
    const reason = await this.onPurge(until);
    if (reason !== undefined) this.world.fail(reason);
    this.#first = Math.max(this.#first, Math.min(until, this.last) + 1);
  }

  listen(machine: Machine, heard: (sequence: number) => void): void {
    this.#heard.push({ machine, heard });
  }

  announce(from: Machine, sequence: number): void {
    for (const { machine, heard } of this.#heard) {
      if (machine === from || machine.isCutOffStream || machine.isDead) continue;
      if (this.world.random.chance(this.faults.unheard)) continue;
      this.world.after(this.world.latencyMs(), () => heard(sequence), machine);
    }
  }
}

/** The stream as a process on a machine has it: see src/journal/jetstream/nats-stream.ts. */
export class SimulatedStream implements Stream {
  readonly identity = 'simulated';
  readonly maxBytes: number;
  readonly #cluster: SimulatedCluster;
  readonly #machine: Machine;
  readonly #world: World;

  constructor(cluster: SimulatedCluster, machine: Machine, maxBytes: number) {
    this.#cluster = cluster;
    this.#machine = machine;
    this.#world = cluster.world;
    this.maxBytes = maxBytes;
  }

  publish(id: string, body: Uint8Array, withinMs: number): Promise<number> {
    if (body.byteLength > this.maxBytes)
      this.#world.fail('a message is larger than the stream takes');
    const own = Uint8Array.from(body);
    const { random } = this.#world;
    const { late, replicating } = this.#cluster.faults;
    const isLate = random.chance(late);
    const mostLateMs = id.startsWith('outbox-') ? MOST_LATE_SHARED_MS : MOST_LATE_MS;
    const onTheWayMs = isLate ? random.next() * mostLateMs : this.#world.latencyMs();
    return this.#ask(withinMs, onTheWayMs, () => {
      if (!this.#cluster.isLed) throw refused('the stream has no leader');
      if (random.chance(replicating)) {
        // Another copy is on its way; it arrives anyway, or is lost with its leader.
        if (random.chance(0.7)) {
          this.#world.after(this.#world.latencyMs(), () => this.#cluster.take(id, own));
        }
        throw refused('the message is still being replicated');
      }
      return this.#cluster.take(id, own);
    });
  }

  next(after: number): Promise<StreamMessage | undefined> {
    return this.#read(() => {
      const at = Math.max(after + 1, this.#cluster.first);
      return at <= this.#cluster.seen() ? this.#cluster.messages[at - 1] : undefined;
    });
  }

  get(sequence: number): Promise<StreamMessage | undefined> {
    return this.#read(() => {
      const isThere = sequence >= this.#cluster.first && sequence <= this.#cluster.seen();
      return isThere ? this.#cluster.messages[sequence - 1] : undefined;
    });
  }

  state(): Promise<StreamState> {
    return this.#ask(ANSWER_MS, this.#world.latencyMs(), () => {
      if (!this.#cluster.isLed) throw refused('the stream has no leader');
      return this.#cluster.state();
    });
  }

  purge(until: number): Promise<void> {
    return this.#ask(ANSWER_MS, this.#world.latencyMs(), () => {
      if (!this.#cluster.isLed) throw refused('the stream has no leader');
      return this.#cluster.purge(until);
    });
  }

  announce(sequence: number): void {
    if (!this.#machine.isCutOffStream) this.#cluster.announce(this.#machine, sequence);
  }

  onNews(heard: (sequence: number) => void): void {
    this.#cluster.listen(this.#machine, heard);
  }

  async close(): Promise<void> {}

  #read(look: () => StreamMessage | undefined): Promise<StreamMessage | undefined> {
    return this.#ask(ANSWER_MS, this.#world.latencyMs(), look);
  }

  /** Makes the cluster do something, over the network. */
  #ask<T>(withinMs: number, onTheWayMs: number, perform: () => T | Promise<T>): Promise<T> {
    const world = this.#world;
    const machine = this.#machine;
    const { lost, unanswered } = this.#cluster.faults;
    return new Promise<T>((resolve, reject) => {
      const cancel = world.after(withinMs, () => reject(refused('NATS did not answer')), machine);
      if (machine.isCutOffStream || world.random.chance(lost)) return;
      world.after(onTheWayMs, async () => {
        const answer = await settled(perform);
        if (machine.isCutOffStream || world.random.chance(unanswered)) {
          world.count('stream unanswered');
          return;
        }
        world.after(
          world.latencyMs(),
          () => {
            cancel();
            answer(resolve, reject);
          },
          machine,
        );
      });
    });
  }
}

type Settled<T> = (resolve: (value: T) => void, reject: (error: unknown) => void) => void;

async function settled<T>(perform: () => T | Promise<T>): Promise<Settled<T>> {
  try {
    const value = await perform();
    return (resolve) => resolve(value);
  } catch (error) {
    return (_, reject) => reject(error);
  }
}

const refused = (reason: string): JournalUnavailable => new JournalUnavailable(reason);
