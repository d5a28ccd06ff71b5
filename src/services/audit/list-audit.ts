import { type AuditFilter, listAuditEntries } from '../../storage/audit-store.ts';
import type { Context } from '../context.ts';
import { isoTime } from '../present-time.ts';

export type ListedAuditEntry = {
  /** Entries are numbered in order. */
  id: string;
  at: string;
  actor: string;
  tokenId: string | undefined;
  action: string;
  userId: string | undefined;
  accountId: string | undefined;
  details: Record<string, unknown>;
};

/** A page of the audit entries that pass the filter, newest first. */
export async function listAudit(
  { database }: Context,
  { limit, offset, ...filter }: AuditFilter & { limit: number; offset: number },
): Promise<ListedAuditEntry[]> {
  const entries = await listAuditEntries(database, filter, limit, offset);
  return entries.map((entry) => ({
    id: String(entry.number),
    at: isoTime(entry.atMs),
    actor: entry.actor,
    tokenId: entry.tokenId ?? undefined,
    action: entry.action,
    userId: entry.userId ?? undefined,
    accountId: entry.accountId ?? undefined,
    details: entry.details,
  }));
}
