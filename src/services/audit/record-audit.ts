import { insertAuditEntry } from '../../storage/audit-store.ts';
import type { Transaction } from '../../storage/database.ts';
import type { Context, Principal } from '../context.ts';

/** How the audit names who acts: `user:<id>`, or `operator` for the bootstrap token. */
export const actorOf = (principal: Principal): string =>
  principal.userId === undefined ? 'operator' : `user:${principal.userId}`;

/** Writes an audit entry in the transaction of what it tells about. */
export async function recordAudit(
  { now, newId }: Pick<Context, 'now' | 'newId'>,
  tx: Transaction,
  entry: { actor: string; action: string; userId: string; details: Record<string, unknown> },
): Promise<void> {
  await insertAuditEntry(tx, { id: newId(), atMs: now(), ...entry });
}
