import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { needs } from '../../../test/needs.ts';
import { openTestDatabase } from '../../../test/servers/test-databases.ts';
import { newAccount, newUser } from '../../../test/storage-contract/fixture.ts';
import { liveAccountOf } from '../../../test/storage-contract/live-fixture.ts';
import { countAccountStates } from '../../storage/account-states-store.ts';
import { writeLiveAccounts } from '../../storage/live-store.ts';
import { insertProfile } from '../../storage/profile-store.ts';
import { isIn } from './overview-entry.ts';
import { OverviewTable } from './overview-table.ts';
import { FRESH_MS } from './standing.ts';

needs('postgres');

const NOW_MS = 10 * FRESH_MS;
const EITHER = [false, true] as const;
/** Ages around the bounds of what is live; one that came in later than now; none. */
const RECEIPTS = [0, FRESH_MS, FRESH_MS + 1, -FRESH_MS, -FRESH_MS - 1].map((ms) => NOW_MS - ms);

/** Every kind of account that the words tell apart. */
const KINDS = EITHER.flatMap((deployed) =>
  EITHER.flatMap((hasProfile) =>
    [undefined, ...RECEIPTS].flatMap((freshUtcMs) =>
      EITHER.flatMap((hasTracker) =>
        EITHER.flatMap((isMeasured) =>
          EITHER.map((isOff) => ({
            ...{ deployed, hasProfile, freshUtcMs, hasTracker, isMeasured, isOff },
          })),
        ),
      ),
    ),
  ),
);

for (const kind of ['sqlite', 'postgres'] as const)
  test(`the metric counts what the filters of the overview find, on ${kind}`, async (t) => {
    const { database, close } = await openTestDatabase(kind);
    t.after(close);
    const userId = await newUser(database);
    const profileId = randomUUID();
    await insertProfile(database, {
      ...{ id: profileId, userId, name: 'p', platform: 'p5', kind: 'simulated', server: null },
      ...{ login: null, tlsFingerprint: null, tlsCa: null, secret: null, secretKeyId: null },
      ...{ brokerClock: { zone: 'Etc/GMT-2', shiftHours: 0 }, allowedActions: [] },
      ...{ createdAtMs: 1, lastSuccessMs: null, lastErrorMs: null, lastError: null },
    });
    // The same without anything stored of their live side.
    for (const { deployed, hasProfile } of KINDS.slice(0, 96).filter((_, at) => at % 24 === 0))
      await newAccount(database, { userId, deployed, profileId: hasProfile ? profileId : null });
    for (const each of KINDS) {
      const { deployed, hasProfile, freshUtcMs, hasTracker, isMeasured, isOff } = each;
      const own = { userId, deployed, profileId: hasProfile ? profileId : null };
      const { number } = await newAccount(database, own);
      const figures = {
        ...{ freshUtcMs, trackers: Number(hasTracker) },
        ...{ usedLimit: isMeasured ? 0.2 : undefined, clockOffMs: isOff ? 10_800_000 : undefined },
      };
      await database.transaction((tx) => writeLiveAccounts(tx, [liveAccountOf(number, figures)]));
    }
    const table = new OverviewTable(database, userId);
    await table.load(NOW_MS);
    const entries = [...table.entries()];
    const found = (filter: 'live' | 'stale' | 'clockOff' | 'unwatched') =>
      entries.filter((entry) => isIn(entry, filter, NOW_MS)).length;
    const filters = {
      ...{ live: found('live'), stale: found('stale') },
      ...{ clockOff: found('clockOff'), unwatched: found('unwatched') },
    };
    assert.ok(Object.values(filters).every((count) => count > 0));
    assert.deepEqual(await countAccountStates(database, NOW_MS, FRESH_MS, 50), filters);
  });
