import { MAX_EXCURSION_TRADES } from '../../contract/operations/metrics.ts';
import type { CountedTrade, TradePart } from '../../domain/metrics/counted-trade.ts';
import {
  addExcursion,
  type ExcursionSums,
  noExcursions,
} from '../../domain/metrics/excursion-figures.ts';
import { forEachTrade } from '../../histories/read-part.ts';
import type { Sql } from '../../storage/database.ts';
import { readHoursRange } from '../../storage/hour-store.ts';
import { readExcursion } from '../trades/read-excursions.ts';
import { LoopSlice } from '../turns.ts';

/** Undefined if not requested. */
export type PartExcursions = (ExcursionSums & { lookedAt: number }) | undefined;

/**
 * The excursions of the newest MAX_EXCURSION_TRADES trades of a part that opened since the account
 * has snapshots, and how many of them were looked at; in turns with other work.
 */
export async function excursionsOfPart(
  sql: Sql,
  accountNumber: number,
  part: TradePart,
): Promise<NonNullable<PartExcursions>> {
  const sums = noExcursions();
  const hours = await readHoursRange(sql, accountNumber);
  if (!hours) return { ...sums, lookedAt: 0 };
  const newest: CountedTrade[] = [];
  let seen = 0;
  const fromMs = Math.max(part.fromMs ?? hours.firstMs, hours.firstMs);
  await forEachTrade(sql, accountNumber, { ...part, fromMs }, (trade) => {
    if (trade.openTimeMs < hours.firstMs) return;
    newest[seen % MAX_EXCURSION_TRADES] = trade;
    seen += 1;
  });
  const slice = new LoopSlice();
  for (const trade of newest) {
    const excursion = await readExcursion(sql, accountNumber, { ...trade, positionId: trade.id });
    if (excursion) addExcursion(sums, trade.profit, excursion);
    if (slice.isOver) await slice.next();
  }
  return { ...sums, lookedAt: newest.length };
}
