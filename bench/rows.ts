import type { BenchRow } from './row.ts';
import { breach } from './rows/breach.ts';
import { breachAction } from './rows/breach-action.ts';
import { checkpoint } from './rows/checkpoint.ts';
import { day } from './rows/day.ts';
import { equityChart } from './rows/equity-chart.ts';
import { eventFeed } from './rows/event-feed.ts';
import { accountMemory, foldCost } from './rows/fold.ts';
import { growthAccounts } from './rows/growth-accounts.ts';
import { growthDelete } from './rows/growth-delete.ts';
import { growthDeleteHistory } from './rows/growth-delete-history.ts';
import { growthEnrolments } from './rows/growth-enrolments.ts';
import { growthEvents } from './rows/growth-events.ts';
import { growthHistory } from './rows/growth-history.ts';
import { growthOverview } from './rows/growth-overview.ts';
import { growthPlatform } from './rows/growth-platform.ts';
import { growthStart } from './rows/growth-start.ts';
import { growthWebhooks } from './rows/growth-webhooks.ts';
import { growthYear } from './rows/growth-year.ts';
import { historicalTrades } from './rows/historical-trades.ts';
import { statementImport } from './rows/import.ts';
import { neighbours } from './rows/neighbours.ts';
import { neighboursRandom } from './rows/neighbours-random.ts';
import { pageCost } from './rows/page-cost.ts';
import { pollers } from './rows/pollers.ts';
import { processes } from './rows/processes.ts';
import { processesApart } from './rows/processes-apart.ts';
import { smallAnswers } from './rows/small-answers.ts';
import { singleSnapshots, snapshotBatches } from './rows/snapshots.ts';
import { start } from './rows/start.ts';
import { upgrade } from './rows/upgrade.ts';

/** Every row of the table, in its order. */
export const ROWS: readonly BenchRow[] = [
  historicalTrades,
  smallAnswers,
  snapshotBatches,
  singleSnapshots,
  breach,
  breachAction,
  pollers,
  equityChart,
  eventFeed,
  foldCost,
  pageCost,
  growthHistory,
  growthAccounts,
  growthDelete,
  growthDeleteHistory,
  growthEnrolments,
  growthEvents,
  growthOverview,
  growthPlatform,
  growthStart,
  growthWebhooks,
  growthYear,
  accountMemory,
  checkpoint,
  statementImport,
  start,
  processes,
  ...processesApart,
  upgrade,
  day,
  ...neighbours,
  neighboursRandom,
];
