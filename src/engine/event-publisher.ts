import { kindOf } from '../domain/live/live-records.ts';
import type { FoundEvent } from '../storage/event-store.ts';
import type { EngineMetrics } from './engine-metrics.ts';
import { EVENTS_AT_ONCE, type EventWriter } from './event-writer.ts';
import type { Persistence } from './persistence.ts';

/**
 * Stores the events of a partition in order, as soon as they are found; those found during a
 * statement share the next one. An account's state is stored only after its events: the next owner
 * of the partition finds all unstored events again.
 */
export class EventPublisher {
  readonly #partition: number;
  readonly #epoch: number;
  readonly #persistence: Persistence;
  readonly #writer: EventWriter;
  readonly #metrics: Pick<EngineMetrics, 'events'> | undefined;
  readonly #waiting: FoundEvent[] = [];
  #publishing: Promise<void> | undefined;

  constructor(parts: {
    partition: number;
    epoch: number;
    persistence: Persistence;
    writer: EventWriter;
    metrics?: Pick<EngineMetrics, 'events'>;
  }) {
    this.#partition = parts.partition;
    this.#epoch = parts.epoch;
    this.#persistence = parts.persistence;
    this.#writer = parts.writer;
    this.#metrics = parts.metrics;
  }

  add(found: FoundEvent): void {
    this.#waiting.push(found);
    if (this.#publishing) return;
    this.#publishing = this.#publish().finally(() => {
      this.#publishing = undefined;
    });
    // `settle` reports a failure to its caller; no one waits for a partition that is over.
    this.#publishing.catch(() => {});
  }

  /** Resolves when everything added so far is stored. Throws PartitionOver. */
  async settle(): Promise<void> {
    while (this.#publishing) await this.#publishing;
  }

  async #publish(): Promise<void> {
    // Lets all events of one commit arrive, so that they are stored together.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const events = this.#waiting.slice(0, EVENTS_AT_ONCE);
      await this.#persistence.retry('storing events', () =>
        this.#writer.store(this.#partition, this.#epoch, events),
      );
      this.#waiting.splice(0, events.length);
      for (const { event } of events) this.#metrics?.events.labels(kindOf(event)).inc();
    }
  }
}
