import type { Transaction } from './database.ts';

/**
 * Frees what a dead process still held: profiles that it read, webhooks and actions that it worked
 * on. Only for a database that one process has to itself: others would lose their work.
 */
export async function freeLeases(tx: Transaction): Promise<void> {
  await tx.run('delete from sync_process', []);
  await tx.run('update profile_reading set leased_until_ms = 0 where leased_until_ms > 0', []);
}
