import { notePlatformSettings } from '../../storage/sync-store.ts';
import type { Member } from './member.ts';
import type { ReadingWorld } from './slice-reading.ts';

/**
 * Notes what currency and leverage an account has on its platform, so that whoever looks at the account
 * sees where its own are others. Throws PlatformError.
 */
export async function compareSettings(
  { context, gateway }: Pick<ReadingWorld, 'context' | 'gateway'>,
  member: Member,
): Promise<void> {
  const found = await gateway.accountInformation(member.login);
  // That a login is gone, readings tell.
  if (!found) return;
  const { currency, leverage } = found;
  const { platformCurrency, platformLeverage } = member.sync;
  if (currency === platformCurrency && leverage === platformLeverage) return;
  await context.changes.record((tx) => notePlatformSettings(tx, member.sync, found));
  member.sync = { ...member.sync, platformCurrency: currency, platformLeverage: leverage };
}
