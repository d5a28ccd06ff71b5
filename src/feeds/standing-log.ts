import { countFirst } from '../domain/count-first.ts';
import type { LivePart } from '../words/events.ts';

/** A part of what is told of an account; one of its incidents; or that it is gone. */
type LogPart = LivePart | 'incident' | 'gone';

/** The newest text of something told: part of a JSON object, without braces. */
export type LogItem = {
  readonly version: number;
  readonly accountNumber: number;
  readonly part: LogPart;
  readonly text: string;
  /** A newer one has replaced it. */
  isOld: boolean;
};

/** Deleted accounts that are still told to those who resume. */
const MAX_GONE = 1000;
/** Replaced items are dropped when there are this many more than current ones. */
const MAX_OLD = 1000;

/**
 * The newest state of a user's accounts, in the order of its changes. Whoever knows a version asks
 * for what is newer, as seldom as they like: only the newest text of each thing is kept, so memory
 * does not depend on readers, and what a slow one misses are states in between.
 */
export class StandingLog {
  readonly #nextVersion: () => number;
  /** By account, and by part and name: those that changed last come last. */
  readonly #current = new Map<number, Map<string, LogItem>>();
  #size = 0;
  readonly #gone: LogItem[] = [];
  /** By version. */
  #order: LogItem[] = [];
  #version: number;
  /** What changed up to here may be unknown. */
  #floor: number;

  constructor(nextVersion: () => number) {
    this.#nextVersion = nextVersion;
    this.#version = nextVersion();
    this.#floor = this.#version;
  }

  get version(): number {
    return this.#version;
  }

  /** Whether everything that changed since a version is known. */
  isKnownSince(version: number): boolean {
    return version >= this.#floor && version <= this.#version;
  }

  /** Sets a thing of an account, named within its part; without a change, nothing happens. */
  set(accountNumber: number, part: LogPart, name: string, text: string): void {
    const key = `${part} ${name}`;
    const own = this.#current.get(accountNumber) ?? new Map<string, LogItem>();
    if (own.get(key)?.text === text) return;
    this.#current.set(accountNumber, own);
    this.drop(accountNumber, part, name);
    this.#version = this.#nextVersion();
    const item = { version: this.#version, accountNumber, part, text, isOld: false };
    own.set(key, item);
    this.#size += 1;
    this.#order.push(item);
    if (part === 'gone') this.#keepGone(item);
    if (this.#order.length > 2 * this.#size + MAX_OLD) {
      this.#order = this.#order.filter(({ isOld }) => !isOld);
    }
  }

  drop(accountNumber: number, part: LogPart, name: string): void {
    const own = this.#current.get(accountNumber);
    const item = own?.get(`${part} ${name}`);
    if (!own || !item) return;
    item.isOld = true;
    own.delete(`${part} ${name}`);
    this.#size -= 1;
  }

  /** Drops the incidents of an account that changed first; whether there were too many. */
  keepIncidents(accountNumber: number, most: number): boolean {
    const own = [...(this.#current.get(accountNumber)?.entries() ?? [])];
    const incidents = own.filter(([, { part }]) => part === 'incident');
    const surplus = incidents.slice(0, Math.max(0, incidents.length - most));
    for (const [key] of surplus)
      this.drop(accountNumber, 'incident', key.slice('incident '.length));
    return surplus.length > 0;
  }

  /** Drops all of an account but that it is gone. */
  remove(accountNumber: number): void {
    const own = this.#current.get(accountNumber);
    for (const item of own?.values() ?? []) item.isOld = true;
    this.#size -= own?.size ?? 0;
    this.#current.delete(accountNumber);
  }

  /**
   * The things that changed after a version and pass, oldest first, up to `most` of them; and the
   * version up to which that is all.
   */
  after(
    version: number,
    passes: (item: LogItem) => boolean,
    most: number,
  ): { items: LogItem[]; version: number } {
    const items: LogItem[] = [];
    const order = this.#order;
    const first = countFirst(order.length, (place) => (order[place]?.version ?? 0) <= version);
    for (let place = first; place < order.length; place += 1) {
      const item = order[place];
      if (!item || item.isOld || !passes(item)) continue;
      if (items.length >= most) return { items, version: item.version - 1 };
      items.push(item);
    }
    return { items, version: this.#version };
  }

  #keepGone(item: LogItem): void {
    this.#gone.push(item);
    const oldest = this.#gone.length > MAX_GONE ? this.#gone.shift() : undefined;
    if (!oldest) return;
    this.#floor = oldest.version;
    this.remove(oldest.accountNumber);
  }
}
