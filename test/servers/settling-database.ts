import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from '../../src/storage/database.ts';

/** Turns without a call after which none is to be expected: a simulated platform takes twenty. */
const QUIET_TURNS = 30;

/**
 * A database of which a test can await all calls. A test's time that passed while a busy machine
 * still answers would make a process look as if it were held up for seconds.
 */
export function settlingDatabase(database: Database): {
  database: Database;
  settle(): Promise<void>;
} {
  const calls = new Set<Promise<unknown>>();
  const counted = new Proxy(database, {
    get(target, name: keyof Database) {
      const own = target[name];
      if (typeof own !== 'function') return own;
      return (...parameters: unknown[]): unknown => {
        const answer: unknown = Reflect.apply(own, target, parameters);
        if (!(answer instanceof Promise)) return answer;
        const over = answer.catch(() => undefined).finally(() => calls.delete(over));
        calls.add(over);
        return answer;
      };
    },
  });
  const settle = async (): Promise<void> => {
    for (let turns = 0; turns < QUIET_TURNS; turns += 1) {
      if (calls.size > 0) turns = 0;
      await Promise.all(calls);
      await nextTurn();
    }
  };
  return { database: counted, settle };
}
