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
    'Time since the last round began in which all of its accounts were read, up to 5 too many',
    ({ readAtMs }) => Math.max(0, now() - readAtMs) / 1000,
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
  gauge(
    'plimsoll_sync_unproven_accounts',
    'Those of them whose deals were never found to be as many as on the platform',
    ({ unproven }) => unproven,
  );
}
