import type { Deal } from '../src/domain/deal.ts';
import { summarise } from '../src/statements/outcome/summary.ts';
import type { StatementHead } from '../src/statements/thread/messages.ts';

/** What a reader tells of a report that lists these deals, and states no figures but a balance. */
export const headOf = (
  contentHash: string,
  deals: Deal[],
  carriedInBalance?: number,
): StatementHead => ({
  ...{ kind: 'p5-history', platform: 'p5', stated: { figures: {} } },
  ...{ carriedInBalance, openPositions: [], readings: [], warnings: [] },
  ...{ contentHash, summary: summarise(deals) },
  reconciliation: { figures: [], differences: [] },
});
