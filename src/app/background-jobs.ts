import type { Context } from '../services/context.ts';
import type { EvidenceKey } from '../services/evidence/evidence-key.ts';
import { LOOK_EVERY_MS, tellSilence } from '../services/snapshots/watch-silence.ts';
import { REMOVE_USERS_EVERY_MS, removeUsers } from '../services/users/remove-users.ts';
import type { Database } from '../storage/database.ts';
import { Repeater } from '../workers/repeater.ts';
import { type KeptDays, Retention } from '../workers/retention.ts';
import { Sealer } from '../workers/sealer/sealer.ts';
import { Sweeper } from '../workers/sweeper.ts';
import type { Settings } from './settings.ts';
import { systemTime as time } from './system-time.ts';

type JobWorld = { context: Context; database: Database; evidenceKey: EvidenceKey };

/** Starts what a process with the role `jobs` does unasked, and nobody outside notices. */
export function startBackgroundJobs(
  settings: Settings,
  { context, database, evidenceKey }: JobWorld,
): { stop(): Promise<void> } {
  if (!settings.PLIMSOLL_ROLES.has('jobs')) return { async stop() {} };
  const { logger } = context;
  const silence = new Repeater(time, logger);
  silence.start(LOOK_EVERY_MS, 'silent feeds cannot be told yet', (signal) =>
    tellSilence(context, signal),
  );
  const removal = new Repeater(time, logger);
  removal.start(REMOVE_USERS_EVERY_MS, 'deleted users cannot be removed yet', (signal) =>
    removeUsers({ ...context, database }, signal),
  );
  const sealer = new Sealer(context, database, evidenceKey, time);
  sealer.start();
  const sweeper = new Sweeper(database, time, logger);
  sweeper.start();
  const retention = new Retention(database, time, logger, keptDays(settings));
  retention.start();
  return {
    async stop() {
      for (const job of [silence, removal, sealer, sweeper, retention]) await job.stop();
    },
  };
}

const keptDays = (settings: Settings): KeptDays => ({
  hours: settings.PLIMSOLL_KEEP_HOURS_DAYS,
  periods: settings.PLIMSOLL_KEEP_PERIODS_DAYS,
  evidence: settings.PLIMSOLL_KEEP_EVIDENCE_DAYS,
  events: settings.PLIMSOLL_KEEP_EVENTS_DAYS,
  actions: settings.PLIMSOLL_KEEP_EVENTS_DAYS,
  audit: settings.PLIMSOLL_KEEP_AUDIT_DAYS,
});
