import { type BrokerTimeMs, DAY_MS } from '../../domain/broker-time.ts';
import { mergeHours } from '../../domain/live/equity-bucket.ts';
import { known } from '../../domain/live/number-rows.ts';
import type { Money } from '../../domain/money.ts';
import type { LiveReader } from '../../engine/live-reader.ts';
import type { SeedSource } from '../../engine/seed-tracker.ts';
import { seenByDeals } from '../../engine/seen-by-deals.ts';
import type { Sql } from '../../storage/database.ts';
import { readHours } from '../../storage/hour-store.ts';
import type { PreviewSight } from '../../words/programs.ts';
import type { Context } from '../context.ts';

/** How far a preview looks back. */
const MAX_PREVIEW_MS = 400 * DAY_MS;

export type PreviewSource = {
  source: SeedSource;
  /** When the first closed hour begins that a preview looks at; undefined if none is closed. */
  firstMs: BrokerTimeMs | undefined;
  lastTimeMs: BrokerTimeMs;
  seenBy: PreviewSight;
};

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
  const source = isSeen ? stored : await seenByDeals(database, stored, MAX_PREVIEW_MS, unnamed);
  const lastTimeMs = source && known(source.account.lastTimeMs);
  if (!source || lastTimeMs === undefined) return undefined;
  const firstMs = await firstHour(database, source, lastTimeMs - MAX_PREVIEW_MS);
  return { source, firstMs, lastTimeMs, seenBy: isSeen ? 'snapshots' : 'deals' };
}

async function firstHour(
  sql: Sql,
  { accountNumber, fresh }: SeedSource,
  sinceMs: BrokerTimeMs,
): Promise<BrokerTimeMs | undefined> {
  const stored = await readHours(sql, accountNumber, sinceMs, Number.MAX_SAFE_INTEGER, 1);
  const hours = mergeHours(
    stored.map(({ accountNumber: _, ...hour }) => hour),
    fresh,
  );
  return hours.find(({ startTimeMs }) => startTimeMs >= sinceMs)?.startTimeMs;
}
