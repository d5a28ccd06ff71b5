import type { Principal } from '../../src/services/context.ts';
import { ServiceError, type ServiceErrorCode } from '../../src/services/errors.ts';
import { DatabaseUnavailable } from '../../src/storage/database.ts';
import type { SimulatedProcess } from './process.ts';
import type { World } from './world.ts';

/** The outcome of a request, as far as its sender knows. */
export type Answer<T> =
  | { kind: 'done'; value: T }
  | { kind: 'refused'; code: ServiceErrorCode }
  | { kind: 'unknown' };

/** After this a client gives up. */
const CLIENT_PATIENCE_MS = 12_000;

const SCOPES: Principal['scopes'] = new Set(['read', 'write', 'ingest', 'actions', 'admin']);

export const principalOf = (userId: string): Principal => ({
  userId,
  tokenId: `token-of-${userId}`,
  scopes: SCOPES,
  accountNumbers: undefined,
});

/** Requests being answered. */
export class Calls {
  readonly #world: World;
  readonly #open = new Map<object, { what: string; process: SimulatedProcess; fromMs: number }>();

  constructor(world: World) {
    this.#world = world;
  }

  /** Sends a request to a process, as a client that also notices its death. */
  send<T>(
    process: SimulatedProcess,
    what: string,
    userId: string,
    work: (process: SimulatedProcess, principal: Principal) => Promise<T>,
  ): Promise<Answer<T>> {
    const world = this.#world;
    const { machine } = process;
    return new Promise((resolve) => {
      let isOver = false;
      const end = (answer: Answer<T>): void => {
        if (isOver) return;
        isOver = true;
        world.after(world.latencyMs(), () => resolve(answer));
      };
      machine.onEnd(() => end({ kind: 'unknown' }));
      world.after(CLIENT_PATIENCE_MS, () => end({ kind: 'unknown' }));
      world.after(
        world.latencyMs(),
        () => {
          const call = {};
          this.#open.set(call, { what, process, fromMs: world.nowMs });
          this.#answer(process, userId, work)
            .then(end)
            .finally(() => this.#open.delete(call));
        },
        machine,
      );
    });
  }

  /** Requests that are not answered though they should be. */
  openSince(beforeMs: number): string[] {
    return [...this.#open.values()]
      .filter(({ process, fromMs }) => !process.machine.isDead && fromMs < beforeMs)
      .map(({ what, process, fromMs }) => `${what} at ${process.machine.name} since ${fromMs}`);
  }

  async #answer<T>(
    process: SimulatedProcess,
    userId: string,
    work: (process: SimulatedProcess, principal: Principal) => Promise<T>,
  ): Promise<Answer<T>> {
    try {
      // As authenticate does: what is found afterwards is as new as the request.
      await process.context.catalogue.refresh();
      return { kind: 'done', value: await work(process, principalOf(userId)) };
    } catch (error) {
      if (error instanceof ServiceError) return { kind: 'refused', code: error.code };
      if (error instanceof DatabaseUnavailable) return { kind: 'unknown' };
      const reason = error instanceof Error ? error.stack : String(error);
      this.#world.fail(`a request failed that should not: ${reason}`);
      return { kind: 'unknown' };
    }
  }
}
