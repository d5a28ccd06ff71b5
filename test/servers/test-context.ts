import { randomUUID } from 'node:crypto';
import { systemTime } from '../../src/app/system-time.ts';
import { ClockViews } from '../../src/domain/live/clock-views.ts';
import { TrackerRules } from '../../src/domain/live/tracker-rule.ts';
import type { Journal } from '../../src/journal/journal.ts';
import { SqlJournal } from '../../src/journal/sql-journal.ts';
import { Changes } from '../../src/services/changes.ts';
import type { Context } from '../../src/services/context.ts';
import { Catalogue } from '../../src/storage/catalogue.ts';
import type { Database } from '../../src/storage/database.ts';
import { KeyRing } from '../../src/storage/key-ring.ts';
import { testClaims } from './test-claims.ts';

export const silent = { debug() {}, info() {}, warn() {}, error() {} };

/** The context of verbs, on a database, with a test's changes. */
export async function testContext(
  database: Database,
  parts: Partial<Context> = {},
): Promise<Context & { journal: Journal }> {
  const now = parts.now ?? Date.now;
  const journal = await SqlJournal.open(database, systemTime, randomUUID());
  return {
    ...{ database, now, newId: () => randomUUID(), random: () => 0.5, logger: silent, journal },
    catalogue: new Catalogue(database),
    claims: testClaims(database),
    secrets: new KeyRing(database, [], now),
    rules: new TrackerRules(new ClockViews()),
    changes: new Changes(database, journal, now),
    ...parts,
  };
}
