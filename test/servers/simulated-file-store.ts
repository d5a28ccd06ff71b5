import { appendFile, readFile } from 'node:fs/promises';
import type { SimulatedStore } from '../../src/demo/platform/events.ts';

/** The events of a simulated platform, one a line; without a file they end with the process. */
export class FileStore implements SimulatedStore {
  readonly #path: string | undefined;
  #events: string[] | undefined;

  constructor(path: string | undefined) {
    this.#path = path;
  }

  async load(after: number): Promise<string[]> {
    this.#events ??= await this.#read();
    return this.#events.slice(after);
  }

  async append(number: number, event: string): Promise<boolean> {
    this.#events ??= await this.#read();
    if (number !== this.#events.length + 1) return false;
    if (this.#path) await appendFile(this.#path, `${event}\n`);
    this.#events.push(event);
    return true;
  }

  async #read(): Promise<string[]> {
    const text = this.#path ? await readFile(this.#path, 'utf8').catch(() => '') : '';
    return text.split('\n').filter((line) => line !== '');
  }
}
