import { type AuditEntry, listAuditEntries } from '../../storage/audit-store.ts';
import type { Context } from '../context.ts';

/** A page of the audit, newest first, about one user where given. */
export function listAudit(
  { database }: Context,
  page: { userId?: string | undefined; limit: number; offset: number },
): Promise<AuditEntry[]> {
  return listAuditEntries(database, page.userId, page.limit, page.offset);
}
