import type { Goal } from './row.ts';

/**
 * What the rows are to reach: their ratio to the ceiling, peer or bound of the same run. They were
 * set before the first line was written, those of waiting pollers later. What must not grow has
 * its laws beside what they are about: rows/growth-*.ts.
 */
export const GOALS = {
  coldPageToBareHttp: { atLeast: 0.25 },
  coldPageToExpress: { atLeast: 5 },
  repeatedPageToBareHttp: { atLeast: 0.7 },
  repeatedPageToExpress: { atLeast: 50 },
  smallAnswerToBareHttp: { atLeast: 0.5 },
  batchesToBareHttp: { sqlite: { atLeast: 0.35 }, postgres: { atLeast: 0.3 } },
  batchesToVictoriaMetrics: { atLeast: 1 },
  batchesToSqlRollUp: { atLeast: 10 },
  batchesToSqlHours: { atLeast: 10 },
  batchesToRowLocks: { atLeast: 5 },
  singleSnapshotsToBareHttp: { atLeast: 0.3 },
  breachToCommit: { atMost: 10 },
  chartToRawRows: { atMost: 0.1 },
  chartToVictoriaMetrics: { atMost: 0.5 },
  eventsToIdentityColumn: { atLeast: 0.7 },
  manyAccountsToFew: { atMost: 1.3 },
  manyTradesToFew: { atMost: 1.3 },
  pollersToldToBareHttp: { atMost: 2 },
  manyPollersToFew: { atMost: 1.3 },
  waitingMemoryToBareHttp: { atMost: 2 },
  waitingToAskingEachSecond: { atMost: 0.1 },
  waitingToQueryEach: { atMost: 0.05 },
  importToParsing: { atMost: 3 },
  serveToNode: { atMost: 11 },
  versionToNode: { atMost: 2.8 },
  processesToOne: { atLeast: 1 },
  breachOfProcessesToOne: { atMost: 2 },
  /** Of figures that have a bound of their own. */
  withinBound: { atMost: 1 },
} as const satisfies Record<string, Goal | Record<'sqlite' | 'postgres', Goal>>;
