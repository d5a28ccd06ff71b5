import { PlatformError } from '../gateway.ts';

/** A missing call is tried again after this long: bridges get updated. */
const FORGOTTEN_MS = 600_000;

const HEALTH = 'GET /health';

/** `GET /accounts/{login}` of a method and a path. */
export const callName = (method: string, path: string): string =>
  `${method} ${path.split('?', 1)[0]?.replace(/\/\d+/, '/{login}')}`;

/** Which calls a bridge has: as stated in its health, or found by trying. */
export class BridgeCalls {
  #stated: ReadonlySet<string> | undefined;
  readonly #lacking = new Map<string, number>();

  state(calls: readonly string[] | undefined): void {
    this.#stated = calls && new Set(calls);
  }

  /** Throws PlatformError `unsupported` for a call that the bridge does not have. */
  require(name: string): void {
    if (this.#lacks(name)) throw lacking(name);
  }

  /** Notes that a call was answered as not existing. */
  lack(name: string): PlatformError {
    this.#lacking.set(name, performance.now() + FORGOTTEN_MS);
    return lacking(name);
  }

  #lacks(name: string): boolean {
    // Health itself lists the calls; without it nothing could be read.
    if (this.#stated && name !== HEALTH) return !this.#stated.has(name);
    const untilMs = this.#lacking.get(name);
    if (untilMs !== undefined && untilMs <= performance.now()) this.#lacking.delete(name);
    return this.#lacking.has(name);
  }

  /** Of the named calls, those known to be missing. */
  missingOf(names: readonly string[]): string[] {
    return names.filter((name) => this.#lacks(name));
  }
}

const lacking = (name: string): PlatformError =>
  new PlatformError('unsupported', `the p4 bridge has no ${name}`);

export const isUnsupported = (error: unknown): error is PlatformError =>
  error instanceof PlatformError && error.code === 'unsupported';

/** The outcome of the first way that the bridge supports; the others are workarounds. */
export async function firstOf<T>(...ways: readonly (() => Promise<T>)[]): Promise<T> {
  let first: unknown;
  for (const way of ways)
    try {
      return await way();
    } catch (error) {
      if (!isUnsupported(error)) throw error;
      first ??= error;
    }
  throw first;
}
