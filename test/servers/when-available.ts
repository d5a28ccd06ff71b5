import assert from 'node:assert/strict';
import { DatabaseUnavailable } from '../../src/storage/database.ts';
import { until } from './until.ts';

/**
 * Asks again while the database or the journal is unavailable, like a client that gets 503: on a
 * machine that is busy with other tests it may take seconds for anything.
 */
export async function whenAvailable<T>(ask: () => Promise<T>): Promise<T> {
  let found: { answer: T } | undefined;
  await until(async () => {
    found = await ask().then(
      (answer) => ({ answer }),
      (error: unknown) => {
        if (error instanceof DatabaseUnavailable) return undefined;
        throw error;
      },
    );
    return found !== undefined;
  }, 'an answer');
  assert.ok(found);
  return found.answer;
}
