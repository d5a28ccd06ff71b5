import { Gauge, type Registry } from 'prom-client';
import type { Context } from '../services/context.ts';
import { type ProfileLag, readSyncLag } from '../storage/sync-store.ts';
import { whileDatabaseAnswers } from './while-database-answers.ts';

/** How far the accounts that are read from platforms are behind, by profile. */
export function registerSyncMetrics({ database, now }: Context, registry: Registry): void {
  const gauge = (name: string, help: string, measure: (lag: ProfileLag) => number): void => {
    new Gauge({
      name,
      help,
      labelNames: ['profile'],
      registers: [registry],
      collect: whileDatabaseAnswers(async function () {
        const lags = await readSyncLag(database);
        for (const lag of lags) this.labels(lag.profileId).set(measure(lag));
      }),
    });
  };
  gauge(
    'plimsoll_sync_lag_seconds',
    'Age of the latest reading of the account that waits longest',
    ({ oldestSuccessMs }) => Math.max(0, now() - oldestSuccessMs) / 1000,
  );
  gauge(
    'plimsoll_sync_accounts',
    'Accounts that are read from the platform of a profile',
    ({ accounts }) => accounts,
  );
  gauge(
    'plimsoll_sync_failing_accounts',
    'Those of them whose latest reading failed',
    ({ failing }) => failing,
  );
}
