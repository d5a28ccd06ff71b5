import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { needs } from '../../../test/needs.ts';
import { until, untilPassed } from '../../../test/servers/until.ts';
import type { TrackerAction } from '../../domain/live/tracker-definition.ts';
import {
  type PlatformFixture,
  platformFixture,
} from '../../services/platform-accounts/platform.fixture.ts';
import type { Account } from '../../storage/account-store.ts';
import {
  type BreachAction,
  beginAction,
  retryActions,
  setSwitch,
} from '../../storage/breach-action-store.ts';
import { insertClaims, listProcesses } from '../../storage/claim-store.ts';
import { deleteTrackerActions } from '../../storage/tracker-action-store.ts';
import { actionsOf, broke, STEP_MS } from './breach.fixture.ts';
import { type BreachProcess, startBreachProcess } from './breach-process.fixture.ts';

needs('postgres');

const GROUP = 'real\\pro/plus usd';
const BOTH: readonly TrackerAction[] = [
  { action: 'disableTrading', confirm: 'none' },
  { action: 'moveToGroup', group: GROUP, confirm: 'none' },
];

for (const kind of ['sqlite', 'postgres'] as const) {
  describe(`actions at breaches, with several processes on ${kind}`, () => {
    let fixture: PlatformFixture;
    let processes: BreachProcess[];
    let login = 200_010;
    before(async () => {
      fixture = await platformFixture(kind);
    });
    beforeEach(() => {
      processes = [];
      login += 1;
    });
    after(() => fixture.close());

    const newProcess = async (): Promise<BreachProcess> => {
      const process = await startBreachProcess(fixture);
      processes.push(process);
      return process;
    };
    const stopAll = async (): Promise<void> => {
      for (const process of processes) await process.stop();
    };
    const newBreach = (actions?: readonly TrackerAction[]): Promise<Account> =>
      broke(fixture.files.database, { profileId: fixture.profile.id, login }, actions);
    const actionOf = async (account: Account, place = 0): Promise<BreachAction> => {
      const action = (await actionsOf(fixture.files.database, account))[place];
      assert.ok(action);
      return action;
    };
    const beatOf = async ({ claims }: BreachProcess): Promise<number> => {
      const known = await listProcesses(fixture.files.database);
      return known.find(({ id }) => id === claims.id)?.beat ?? 0;
    };
    const passUntil = (
      { time, settle }: BreachProcess,
      account: Account,
      state: BreachAction['state'],
      place = 0,
    ): Promise<void> =>
      untilPassed(
        () => time.pass(STEP_MS).then(settle),
        async () => (await actionOf(account, place)).state === state,
        state,
      );
    /** Counts calls of the gateway; the first one of a kind waits until it is released. */
    const heldUp = (name: 'settings' | 'changeSettings', isDoneBefore = false) => {
      const { overrides, real } = fixture;
      const gate = Promise.withResolvers<void>();
      const reached = Promise.withResolvers<void>();
      const calls = { count: 0 };
      const call = real[name].bind(real) as (...of: unknown[]) => Promise<unknown>;
      const held = async (...of: unknown[]): Promise<unknown> => {
        calls.count += 1;
        if (calls.count > 1) return call(...of);
        const answer = isDoneBefore || name === 'settings' ? await call(...of) : undefined;
        reached.resolve();
        await gate.promise;
        return answer ?? call(...of);
      };
      Object.assign(overrides, { [name]: held });
      return {
        ...{ calls, reached: reached.promise },
        letGo: () => gate.resolve(),
        end: () => delete overrides[name],
      };
    };

    it('are done one at a time on an account, in the order of the list', async () => {
      const held = heldUp('changeSettings');
      const one = await newProcess();
      const account = await newBreach(BOTH);
      await passUntil(one, account, 'running');
      await held.reached;
      const two = await newProcess();
      // The later action is done: the second process has had its turn, and did not touch the
      // account.
      login += 1;
      const later = await newBreach();
      // One patrol of its time: more, while the database works, and the first one would seem dead.
      await two.time.pass(1000);
      await until(async () => (await actionOf(later)).state === 'done', 'the later one');
      const [first, second] = await actionsOf(fixture.files.database, account);
      assert.deepEqual([first?.state, second?.state], ['running', 'waiting']);
      assert.deepEqual([first?.attempts, second?.attempts], [1, 0]);
      held.letGo();
      held.end();
      await passUntil(one, account, 'done', 1);
      await stopAll();
    });

    it('of an account are claimed by only one of several processes at the same moment', async () => {
      const { database } = fixture.files;
      for (let round = 0; round < 10; round += 1) {
        const actions = await actionsOf(database, await newBreach(BOTH));
        const taken = await Promise.all(
          actions.map((action) =>
            database.transaction(async (tx) => {
              const key = String(action.accountNumber);
              const [claim] = await insertClaims(tx, 'breach-action', [key], 'process');
              return claim && beginAction(tx, action);
            }),
          ),
        );
        assert.equal(taken.filter(Boolean).length, 1);
      }
      await database.run("update breach_action set state = 'stopped' where state <> 'done'");
      await database.run('delete from claim');
    });

    it('are not done by a process that was paused while another did them', async () => {
      const { real } = fixture;
      const asked = heldUp('settings');
      const changed = heldUp('changeSettings');
      changed.letGo();
      const paused = await newProcess();
      const account = await newBreach();
      await passUntil(paused, account, 'running');
      await asked.reached;
      const heir = await newProcess();
      await passUntil(heir, account, 'done');
      assert.equal(changed.calls.count, 1);
      // A person has checked it, and lets the holder trade again.
      await real.changeSettings(login, { tradingEnabled: true });
      asked.letGo();
      await stopAll();
      assert.equal(changed.calls.count, 1);
      assert.equal((await real.settings(login))?.tradingEnabled, true);
      assert.deepEqual((await actionOf(account)).state, 'done');
      asked.end();
      changed.end();
    });

    const undone: [string, (account: Account) => Promise<void>][] = [
      [
        'its tracker was deleted',
        ({ number }) =>
          fixture.files.database.transaction((tx) => deleteTrackerActions(tx, number, 'tracker')),
      ],
      [
        'actions were switched off',
        async () => {
          await fixture.files.database.transaction((tx) => setSwitch(tx, false));
        },
      ],
    ];
    for (const [what, undo] of undone)
      it(`are not done by a process that was paused while ${what}`, async () => {
        const { database } = fixture.files;
        const asked = heldUp('settings');
        const changed = heldUp('changeSettings');
        changed.letGo();
        const paused = await newProcess();
        const account = await newBreach();
        await passUntil(paused, account, 'running');
        await asked.reached;
        await undo(account);
        asked.letGo();
        await untilPassed(
          () => paused.time.pass(1000),
          async () => (await actionOf(account)).state !== 'running',
          'the end of the attempt',
        );
        assert.equal(changed.calls.count, 0);
        assert.match((await actionOf(account)).state, /^(?:stopped|waiting)$/);
        await stopAll();
        asked.end();
        changed.end();
        await database.transaction((tx) => setSwitch(tx, true));
        await database.transaction((tx) =>
          retryActions(tx, 'user', { ids: undefined, entriesBelow: 400 }),
        );
        await database.run("update breach_action set state = 'stopped' where state = 'waiting'");
      });

    it('are done at once after another one of the account whose process was killed', async () => {
      const changed = heldUp('changeSettings', true);
      const killed = await newProcess();
      const account = await newBreach(BOTH);
      await passUntil(killed, account, 'running');
      await changed.reached;
      const heir = await newProcess();
      await passUntil(heir, account, 'done');
      // Its time stands still from here on: a wait for a patrol would never end.
      await until(async () => (await actionOf(account, 1)).state === 'done', 'the second one');
      const states = await actionsOf(fixture.files.database, account);
      assert.deepEqual(
        states.map(({ state }) => state),
        ['done', 'done'],
      );
      changed.letGo();
      changed.end();
      await stopAll();
    });

    it('are not taken from a living process, whatever the clocks show', async () => {
      const held = heldUp('changeSettings');
      const one = await newProcess();
      const account = await newBreach();
      await passUntil(one, account, 'running');
      await held.reached;
      const ahead = await newProcess();
      ahead.time.setClock(ahead.time.now() + 86_400_000);
      for (let seconds = 0; seconds < 60; seconds += 1) {
        const before = await beatOf(one);
        await one.time.pass(2000);
        await untilPassed(
          () => one.time.pass(0),
          async () => (await beatOf(one)) > before,
          'a sign of life',
        );
        await ahead.time.pass(2000);
      }
      assert.equal((await actionOf(account)).attempts, 1);
      held.letGo();
      held.end();
      await passUntil(one, account, 'done');
      await stopAll();
    });
  });
}
