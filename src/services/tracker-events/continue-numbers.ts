import { raiseLastNumber, readLastNumber } from '../../storage/event-number-store.ts';
import type { Actor } from '../changes.ts';
import type { Context } from '../context.ts';

/** Clients may hold numbers in 32 bits; this leaves them as many for events to come. */
export const MOST_NUMBERS = 2 ** 30;

/** The last number of an event, of all users. */
export const lastEventNumber = ({ database }: Pick<Context, 'database'>): Promise<number> =>
  readLastNumber(database);

/**
 * Numbers the events to come above those of another service, so that its readers go on with the
 * number they have. Never lowers a number. `last` is at most MOST_NUMBERS.
 */
export async function continueNumbers(
  { changes }: Pick<Context, 'changes'>,
  by: Actor,
  last: number,
): Promise<void> {
  await changes.make(by, async (tx) => {
    const from = await raiseLastNumber(tx, last);
    if (from >= last) return { result: undefined, audit: 'unchanged' };
    const details = { from, to: last };
    return { result: undefined, audit: [{ action: 'events.numbers-raised', details }] };
  });
}
