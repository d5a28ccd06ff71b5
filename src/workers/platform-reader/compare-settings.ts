import { notePlatformSettings } from '../../storage/sync-store.ts';
import type { Member } from './member.ts';
import type { ReadingWorld } from './slice-reading.ts';

/**
 * Stores which currency and leverage an account has on its platform, so that users see differences
 * from its own. Throws PlatformError.
 */
export async function compareSettings(
  { context, gateway }: Pick<ReadingWorld, 'context' | 'gateway'>,
  member: Member,
): Promise<void> {
  const found = await gateway.accountInformation(member.login);
  // Readings report a missing login.
  if (!found) return;
  const currency = found.currency || null;
  // Some platforms report 0 if the group decides.
  const leverage = found.leverage || null;
  const { platformCurrency, platformLeverage } = member.sync;
  if (currency === platformCurrency && leverage === platformLeverage) return;
  const settings = { platformCurrency: currency, platformLeverage: leverage };
  await context.changes.record((tx) => notePlatformSettings(tx, member.sync, settings));
  member.sync = { ...member.sync, ...settings };
}
