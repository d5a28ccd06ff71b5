import type { Claim, ClaimKind } from '../storage/claim-store.ts';
import type { Transaction } from '../storage/database.ts';
import type { GiveUp, Take } from './claims.ts';

/**
 * Claims the free ones of the jobs, and begins them: `begin` finds those that are still to be done.
 * The others have been done or deleted since they were listed. Their claims are given up, as nobody
 * would ever end them.
 */
export async function takeBegun<Job extends { id: string }>(
  tx: Transaction,
  [take, giveUp]: readonly [Take, GiveUp],
  kind: ClaimKind,
  ids: readonly string[],
  begin: (tx: Transaction, free: readonly string[]) => Promise<Job[]>,
): Promise<{ job: Job; claim: Claim }[]> {
  const free = new Map((await take(tx, kind, ids)).map((claim) => [claim.key, claim]));
  const jobs = await begin(tx, [...free.keys()]);
  const begun = jobs.flatMap((job) => {
    const claim = free.get(job.id);
    return claim && free.delete(job.id) ? [{ job, claim }] : [];
  });
  for (const claim of free.values()) await giveUp(tx, claim);
  return begun;
}
