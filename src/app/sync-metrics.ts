import { Gauge, type Registry } from 'prom-client';
import type { Context } from '../services/context.ts';
import { type ProfileLag, readSyncLag } from '../storage/sync-store.ts';
import { whileDatabaseAnswers } from './while-database-answers.ts';

/** How far the accounts that are read from platforms are behind; profiles are named in the log only. */
export function registerSyncMetrics({ database, now }: Context, registry: Registry): void {
  const gauge = (name: string, help: string, measure: (lags: ProfileLag[]) => number): void => {
    new Gauge({
      name,
      help,
      registers: [registry],
      collect: whileDatabaseAnswers(async function () {
        this.set(measure(await readSyncLag(database)));
      }),
    });
  };
  const sum = (lags: ProfileLag[], of: (lag: ProfileLag) => number): number =>
    lags.reduce((total, lag) => total + of(lag), 0);
  gauge(
    'plimsoll_sync_lag_seconds',
    'Time since the last round began in which all accounts of a platform were read, of the slowest',
    (lags) => Math.max(0, ...lags.map(({ readAtMs }) => Math.max(0, now() - readAtMs) / 1000)),
  );
  gauge('plimsoll_sync_accounts', 'Accounts that are read from platforms', (lags) =>
    sum(lags, ({ accounts }) => accounts),
  );
  gauge('plimsoll_sync_failing_accounts', 'Those of them whose latest reading failed', (lags) =>
    sum(lags, ({ failing }) => failing),
  );
  gauge(
    'plimsoll_sync_unproven_accounts',
    'Those of them whose deals were never found to be as many as on the platform',
    (lags) => sum(lags, ({ unproven }) => unproven),
  );
  gauge(
    'plimsoll_sync_differing_accounts',
    'Those of them whose currency or leverage is another one on the platform',
    (lags) => sum(lags, ({ differing }) => differing),
  );
}
