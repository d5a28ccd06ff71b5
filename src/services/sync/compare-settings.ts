import { notePlatformSettings } from '../../storage/sync-store.ts';
import type { Member } from './member.ts';
import type { ReadingWorld } from './slice-reading.ts';

/**
 * Notes what currency and leverage an account has on its platform, so that whoever looks at the
 * account sees where its own are others. Throws PlatformError.
 */
export async function compareSettings(
  { context, gateway }: Pick<ReadingWorld, 'context' | 'gateway'>,
  member: Member,
): Promise<void> {
  const found = await gateway.accountInformation(member.login);
  // That a login is gone, readings tell.
  if (!found) return;
  const currency = found.currency || null;
  // Some platforms say 0 where the group decides.
  const leverage = found.leverage || null;
  const { platformCurrency, platformLeverage } = member.sync;
  if (currency === platformCurrency && leverage === platformLeverage) return;
  const settings = { platformCurrency: currency, platformLeverage: leverage };
  await context.changes.record((tx) => notePlatformSettings(tx, member.sync, settings));
  member.sync = { ...member.sync, ...settings };
}
