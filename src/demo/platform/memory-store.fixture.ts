import type { SimulatedStore } from './events.ts';

/** In memory only. */
export class MemoryStore implements SimulatedStore {
  readonly #events: string[] = [];

  async load(after: number): Promise<string[]> {
    return this.#events.slice(after);
  }

  async append(number: number, event: string): Promise<boolean> {
    if (number !== this.#events.length + 1) return false;
    this.#events.push(event);
    return true;
  }
}
