import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { needs, often } from '../../../test/needs.ts';
import { seedOr } from '../../../test/seed.ts';
import { untilPassed } from '../../../test/servers/until.ts';
import { Random } from '../../../test/simulation/random.ts';
import type { TrackerAction } from '../../domain/live/tracker-definition.ts';
import { PlatformError } from '../../platforms/gateway.ts';
import {
  type PlatformFixture,
  platformFixture,
} from '../../services/platform-accounts/platform.fixture.ts';
import type { Account } from '../../storage/account-store.ts';
import { listAuditEntries } from '../../storage/audit-store.ts';
import { retryActions, setSwitch } from '../../storage/breach-action-store.ts';
import { insertProfile } from '../../storage/profile-store.ts';
import { actionsOf, broke, STEP_MS } from './breach.fixture.ts';
import { type BreachProcess, startBreachProcess } from './breach-process.fixture.ts';

needs('postgres');

const SEED = seedOr(20_261_129);
const GROUP = 'real\\pro/plus usd';
const ALL: readonly TrackerAction[] = [
  { action: 'disableTrading', confirm: 'none' },
  { action: 'closePositions', confirm: 'none' },
  { action: 'moveToGroup', group: GROUP, confirm: 'none' },
];
const GIVE_BACK = { action: 'enableTrading', moment: 'reset', confirm: 'none' } as const;
const ASKED = ['settings', 'pendingOrders', 'positions'] as const;
const CHANGED = ['changeSettings', 'cancelOrders', 'closePositions'] as const;
const FIRST_LOGIN = 200_011;
const STEPS = 60;

/** Calls of both platforms answer late, or not at all, done or not. */
function disturb({ overrides, real }: PlatformFixture, random: Random): void {
  for (const name of [...ASKED, ...CHANGED]) {
    const call = real[name].bind(real) as (...of: unknown[]) => Promise<unknown>;
    const unsound = async (...of: unknown[]): Promise<unknown> => {
      for (let turns = random.between(0, 20); turns > 0; turns -= 1) await nextTurn();
      const isLost = random.chance(0.15);
      if (!isLost && random.chance(0.15)) throw new PlatformError('unavailable', 'busy');
      const answer = await call(...of);
      if (isLost) throw new PlatformError('unavailable', 'lost', { outcomeUnknown: true });
      return answer;
    };
    Object.assign(overrides, { [name]: unsound });
  }
}

for (const kind of ['sqlite', 'postgres'] as const) {
  test(`each action is done once, whatever fails, is killed or switched, on ${kind} (seed ${SEED})`, async () => {
    for (let round = 0; round < often(1, 10); round += 1) await storm(kind, SEED + round);
  });
}

async function storm(kind: 'sqlite' | 'postgres', seed: number): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const random = new Random(seed);
  const fixture = await platformFixture(kind);
  stack.defer(() => fixture.close());
  const { database } = fixture.files;
  const other = { ...fixture.profile, id: 'other', name: 'other' };
  await database.transaction((tx) => insertProfile(tx, other));
  const started: BreachProcess[] = [];
  const start = async (): Promise<BreachProcess> => {
    const process = await startBreachProcess(fixture);
    started.push(process);
    return process;
  };
  /** The platform's pause after failures passes as well, by whoever's time. */
  const pass = ({ time }: BreachProcess, ms: number): Promise<void> => {
    fixture.clock.nowMs += ms;
    return time.pass(ms);
  };
  const living = [await start(), await start()];
  disturb(fixture, random);
  const accounts: Account[] = [];
  const resets = new Set<number>();
  for (let step = 0; step < STEPS; step += 1) {
    if (accounts.length < 8 && random.chance(0.3)) {
      const login = FIRST_LOGIN + accounts.length;
      const profileId = random.pick(['profile', 'other']);
      const isReset = random.chance(0.5);
      if (isReset) resets.add(login);
      const periodEndMs = fixture.clock.nowMs + random.pick([1000, 20_000, 120_000]);
      const actions = isReset ? [...ALL, GIVE_BACK] : ALL;
      accounts.push(await broke(database, { profileId, login, periodEndMs }, actions));
    }
    if (random.chance(0.1)) await database.transaction((tx) => setSwitch(tx, random.chance(0.5)));
    // A killed process stands still, in the middle of what it did.
    if (random.chance(0.05)) living[random.between(0, 1)] = await start();
    await pass(random.pick(living), random.pick([STEP_MS, 1000, 3000]));
  }
  await database.transaction((tx) => setSwitch(tx, true));
  for (const name of [...ASKED, ...CHANGED]) delete fixture.overrides[name];
  const undone = async (): Promise<string[]> => {
    const all = await Promise.all(accounts.map((account) => actionsOf(database, account)));
    return all.flat().flatMap(({ state }) => (state === 'done' ? [] : [state]));
  };
  // All others stand still.
  const last = await start();
  await untilPassed(
    async () => {
      await database.transaction((tx) =>
        retryActions(tx, 'user', { ids: undefined, entriesBelow: 400 }),
      );
      await pass(last, STEP_MS);
      await last.settle();
    },
    async () => (await undone()).length === 0,
    `all actions done (seed ${seed})`,
  );
  for (const { stop } of started) await stop();
  for (const [index, account] of accounts.entries()) {
    const login = FIRST_LOGIN + index;
    const isReset = resets.has(login);
    const settings = await fixture.real.settings(login);
    assert.deepEqual([settings?.tradingEnabled, settings?.group], [isReset, GROUP], `seed ${seed}`);
    const entries = await listAuditEntries(database, { accountId: account.id }, 100, 0);
    const done = entries.filter(({ action }) => action === 'breach-action.done');
    assert.deepEqual(
      new Set(done.map(({ details }) => details.breachActionId)).size,
      done.length,
      `seed ${seed}: each is done once`,
    );
    assert.equal(done.length, ALL.length + (isReset ? 1 : 0));
  }
}
