import { DAY_MS } from '../../domain/broker-time.ts';
import { known } from '../../domain/live/number-rows.ts';
import type { Money } from '../../domain/money.ts';
import type { LiveReader } from '../../engine/live-reader.ts';
import type { SeedSource } from '../../engine/seed-tracker.ts';
import { seenByDeals } from '../../engine/seen-by-deals.ts';
import type { PreviewSight } from '../../words/programs.ts';
import type { Context } from '../context.ts';

/** How far a preview looks back. */
export const MAX_PREVIEW_DAYS = 400;

export type PreviewSource = { source: SeedSource; lastTimeMs: number; seenBy: PreviewSight };

/**
 * What previews look at: the hours of an account, or the balances of its deals if it never had a
 * snapshot; `unnamed` is the balance where these name none. Undefined while there is nothing.
 */
export async function previewSource(
  { database, live }: Context & { live: LiveReader },
  accountNumber: number,
  unnamed?: Money,
): Promise<PreviewSource | undefined> {
  const stored = await live.seedSource(accountNumber);
  if (!stored) return undefined;
  const isSeen = known(stored.account.lastTimeMs) !== undefined;
  const backMs = MAX_PREVIEW_DAYS * DAY_MS;
  const source = isSeen ? stored : await seenByDeals(database, stored, backMs, unnamed);
  const lastTimeMs = source && known(source.account.lastTimeMs);
  if (!source || lastTimeMs === undefined) return undefined;
  return { source, lastTimeMs, seenBy: isSeen ? 'snapshots' : 'deals' };
}
