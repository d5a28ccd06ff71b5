import { Gauge, type Registry } from 'prom-client';
import type { Context } from '../services/context.ts';
import { SharedQuestion } from '../storage/shared-question.ts';
import { OLD_STATE_MS, type ProfileLag, readSyncLag } from '../storage/sync-store.ts';
import { whileDatabaseAnswers } from './while-database-answers.ts';

/** How far accounts read from platforms are behind; profiles are named in the log only. */
export function registerSyncMetrics({ database, now }: Context, registry: Registry): void {
  // All gauges are read at once: they share one reading.
  const lag = new SharedQuestion(() => readSyncLag(database));
  const gauge = (name: string, help: string, measure: (lags: ProfileLag[]) => number): void => {
    new Gauge({
      name,
      help,
      registers: [registry],
      collect: whileDatabaseAnswers(async function () {
        this.set(measure(await lag.ask()));
      }),
    });
  };
  const sum = (lags: ProfileLag[], of: (lag: ProfileLag) => number): number =>
    lags.reduce((total, lag) => total + of(lag), 0);
  gauge(
    'plimsoll_sync_lag_seconds',
    'Time since the last complete round of reading began, for the slowest profile',
    (lags) => Math.max(0, ...lags.map(({ readAtMs }) => Math.max(0, now() - readAtMs) / 1000)),
  );
  gauge('plimsoll_sync_accounts', 'Accounts that are read from platforms', (lags) =>
    sum(lags, ({ accounts }) => accounts),
  );
  gauge(
    'plimsoll_sync_failing_accounts',
    'Accounts whose latest reading failed, or that were not read for a minute',
    (lags) =>
      sum(lags, ({ accounts, failing, readAtMs }) =>
        now() - readAtMs > OLD_STATE_MS ? accounts : failing,
      ),
  );
  gauge(
    'plimsoll_sync_unproven_accounts',
    'Accounts whose number of deals has never been confirmed by the platform',
    (lags) => sum(lags, ({ unproven }) => unproven),
  );
  gauge(
    'plimsoll_sync_differing_accounts',
    'Accounts whose currency or leverage differs on the platform',
    (lags) => sum(lags, ({ differing }) => differing),
  );
}
