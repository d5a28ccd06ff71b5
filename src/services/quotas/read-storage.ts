import { listHoldings } from '../../storage/holding-store.ts';
import { type Context, type Principal, wholeUserOf } from '../context.ts';

/** The caller's stored data, by kind and in all. Throws `forbidden` for a restricted token. */
export async function readStorage({ database, changes }: Context, principal: Principal) {
  const userId = wholeUserOf(principal, 'read what its user has stored');
  const kinds = await listHoldings(database, userId);
  const { mostBytes } = changes;
  return {
    storedBytes: kinds.reduce((sum, { bytes }) => sum + bytes, 0),
    ...(Number.isFinite(mostBytes) ? { maxStoredBytes: mostBytes } : {}),
    kinds,
  };
}
