import type { Sql } from '../../storage/database.ts';
import { readEvidenceRows, type StoredEvidence } from '../../storage/evidence-store.ts';
import { type Principal, userOf } from '../context.ts';
import { notFound } from '../errors.ts';

/**
 * An event that the caller reaches, by its number as written in an address, with what it rests on.
 * Throws `notFound`.
 */
export async function reachedEvent(
  sql: Sql,
  principal: Principal,
  sequenceNumber: string,
): Promise<StoredEvidence> {
  const number = /^\d{1,15}$/.test(sequenceNumber) ? Number(sequenceNumber) : 0;
  const found = await readEvidenceRows(sql, userOf(principal), number);
  const { accountNumbers } = principal;
  if (!found || (accountNumbers && !accountNumbers.has(found.accountNumber)))
    throw notFound('Event');
  return found;
}
