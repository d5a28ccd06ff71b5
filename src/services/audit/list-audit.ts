import { listAuditEntries } from '../../storage/audit-store.ts';
import type { Context } from '../context.ts';
import { isoTime } from '../present-time.ts';

export type ListedAuditEntry = {
  id: string;
  at: string;
  actor: string;
  action: string;
  userId: string | undefined;
  details: Record<string, unknown>;
};

/** A page of the audit, newest first, about one user where given. */
export async function listAudit(
  { database }: Context,
  page: { userId?: string | undefined; limit: number; offset: number },
): Promise<ListedAuditEntry[]> {
  const entries = await listAuditEntries(database, page.userId, page.limit, page.offset);
  return entries.map(({ id, atMs, actor, action, userId, details }) => ({
    id,
    at: isoTime(atMs),
    actor,
    action,
    userId: userId ?? undefined,
    details,
  }));
}
