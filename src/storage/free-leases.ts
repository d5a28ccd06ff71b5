import type { Transaction } from './database.ts';

/**
 * Frees what a dead process still held: profiles that it read, webhooks and actions that it worked
 * on. Only for a database that one process has to itself: others would lose their work.
 */
export async function freeLeases(tx: Transaction): Promise<void> {
  await tx.run('delete from sync_process', []);
  for (const table of ['profile_reading', 'webhook']) {
    await tx.run(`update ${table} set leased_until_ms = 0 where leased_until_ms > 0`, []);
  }
  await tx.run("update breach_action set state = 'waiting' where state = 'running'", []);
}
