import { type AuditFilter, listAuditEntries } from '../../storage/audit-store.ts';
import type { Context } from '../context.ts';
import { isoTime } from '../present-time.ts';

export type ListedAuditEntry = {
  /** Entries are numbered in order. */
  id: string;
  at: string;
  actor: string;
  actorEmail: string | undefined;
  tokenId: string | undefined;
  action: string;
  userId: string | undefined;
  userEmail: string | undefined;
  accountId: string | undefined;
  accountName: string | undefined;
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
    actorEmail: entry.actorEmail ?? undefined,
    tokenId: entry.tokenId ?? undefined,
    action: entry.action,
    userId: entry.userId ?? undefined,
    userEmail: entry.userEmail ?? undefined,
    accountId: entry.accountId ?? undefined,
    accountName: entry.accountName ?? undefined,
    details: entry.details,
  }));
}
