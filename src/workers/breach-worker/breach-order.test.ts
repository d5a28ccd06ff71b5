import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { needs } from '../../../test/needs.ts';
import { untilPassed } from '../../../test/servers/until.ts';
import type { TrackerAction } from '../../domain/live/tracker-definition.ts';
import {
  broken,
  type PlatformFixture,
  platformFixture,
} from '../../services/platform-accounts/platform.fixture.ts';
import type { Account } from '../../storage/account-store.ts';
import type { BreachAction } from '../../storage/breach-action-store.ts';
import { actionsOf, broke, STEP_MS } from './breach.fixture.ts';
import { type BreachProcess, startBreachProcess } from './breach-process.fixture.ts';

needs('postgres');

const LIST = [
  { action: 'disableTrading', confirm: 'none' },
  { action: 'closePositions', confirm: 'none' },
] as const;

for (const kind of ['sqlite', 'postgres'] as const)
  describe(`actions run in the order of their list, on ${kind}`, () => {
    let fixture: PlatformFixture;
    let process: BreachProcess;
    let login = 200_003;
    before(async () => {
      fixture = await platformFixture(kind);
    });
    after(() => fixture.close());
    beforeEach(async () => {
      process = await startBreachProcess(fixture);
      login += 1;
    });
    afterEach(() => process.stop());

    const fall = (actions: readonly TrackerAction[]): Promise<Account> => {
      const place = { profileId: fixture.profile.id, login, nowMs: process.time.now() };
      return broke(fixture.files.database, place, actions);
    };
    /** Lets time pass until the first two actions are as asked, and returns them. */
    const until = async (
      account: Account,
      isSo: (first: BreachAction, second: BreachAction) => boolean,
    ): Promise<[BreachAction, BreachAction]> => {
      const both = async (): Promise<[BreachAction, BreachAction]> => {
        const [first, second] = await actionsOf(fixture.files.database, account);
        return [first ?? assert.fail(), second ?? assert.fail()];
      };
      await untilPassed(
        async () => {
          await process.time.pass(STEP_MS);
          fixture.clock.nowMs = process.time.now();
          await process.settle();
        },
        async () => isSo(...(await both())),
        'the actions',
      );
      return both();
    };

    it('also while the first one pauses after a failure', async () => {
      fixture.overrides.changeSettings = broken(false);
      const account = await fall(LIST);
      const [, second] = await until(account, ({ attempts }) => attempts === 3);
      assert.deepEqual([second.state, second.attempts], ['waiting', 0]);
      delete fixture.overrides.changeSettings;
      const done = await until(account, (_, { state }) => state === 'done');
      assert.deepEqual([done[0].state, done[1].attempts], ['done', 1]);
      assert.ok((done[0].endedAtMs ?? Infinity) <= (done[1].endedAtMs ?? 0));
    });

    it('and the next one is done once the first is given up', async () => {
      fixture.overrides.changeSettings = broken(false);
      const account = await fall(LIST);
      const [{ id }] = await until(account, (one) => one.attempts > 0 && one.state === 'waiting');
      const almost = 'update breach_action set attempts = 11 where id = $1';
      await fixture.files.database.run(almost, [id]);
      const [first, second] = await until(account, (_, { state }) => state === 'done');
      delete fixture.overrides.changeSettings;
      assert.deepEqual([first.state, first.attempts], ['escalated', 12]);
      assert.ok((first.endedAtMs ?? Infinity) <= (second.endedAtMs ?? 0));
    });

    it('and one that waits for a person holds up no other', async () => {
      const account = await fall([{ action: 'disableTrading', confirm: 'person' }, LIST[1]]);
      const [first] = await until(account, (_, { state }) => state === 'done');
      assert.deepEqual([first.state, first.attempts], ['escalated', 1]);
    });
  });
