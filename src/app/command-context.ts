import { randomUUID } from 'node:crypto';
import { Claims } from '../claims/claims.ts';
import type { CommandContext } from '../cli/with-context.ts';
import { ClockViews } from '../domain/live/clock-views.ts';
import { TrackerRules } from '../domain/live/tracker-rule.ts';
import { Changes } from '../services/changes.ts';
import { Catalogue } from '../storage/catalogue.ts';
import { KeyRing } from '../storage/key-ring.ts';
import { readPartitions } from '../storage/partition-store.ts';
import { LazyJournal } from './lazy-journal.ts';
import { linuxProcesses } from './linux-processes.ts';
import { createLogger } from './logger.ts';
import { openExisting } from './open-database.ts';
import { openJournal } from './open-journal.ts';
import { invitationsOf } from './people-settings.ts';
import { quotaSettings } from './quota-settings.ts';
import type { Settings } from './settings.ts';
import { systemTime } from './system-time.ts';

/**
 * Opens the database of the settings for the work of one command, and closes it whatever happens.
 */
export async function withCommandContext(
  settings: Settings,
  work: (context: CommandContext) => Promise<void>,
): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const { database, version } = await openExisting(settings);
  stack.defer(() => database.close());
  const logger = createLogger(settings.LOG_LEVEL);
  const { now } = systemTime;
  const secrets = new KeyRing(database, settings.PLIMSOLL_SECRET_KEY, now);
  // A server may be using the same database, even one that expects to be alone.
  const claims = new Claims({
    ...{ database, time: systemTime, id: randomUUID(), logger, isAlone: false },
    ...{ localProcesses: linuxProcesses(), keyIds: secrets.settingIds },
    schemaVersion: version,
  });
  stack.defer(() => claims.stop());
  const { length: partitions } = await readPartitions(database);
  const journal = new LazyJournal(
    partitions,
    async () => (await openJournal(settings, database, randomUUID(), logger)).journal,
  );
  stack.defer(() => journal.close());
  await work({
    ...{ database, logger, now, newId: randomUUID, random: Math.random },
    ...{ claims, secrets, invitations: invitationsOf(settings) },
    catalogue: new Catalogue(database),
    rules: new TrackerRules(new ClockViews()),
    changes: new Changes(database, journal, now),
    ...quotaSettings(settings),
  });
}
