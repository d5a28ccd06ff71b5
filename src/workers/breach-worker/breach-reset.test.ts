import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { needs } from '../../../test/needs.ts';
import { until, untilPassed } from '../../../test/servers/until.ts';
import { eventOf, ownPartition, revisionOf } from '../../../test/storage-contract/live-fixture.ts';
import { HOUR_MS } from '../../domain/broker-time.ts';
import {
  broken,
  type PlatformFixture,
  platformFixture,
} from '../../services/platform-accounts/platform.fixture.ts';
import type { Account } from '../../storage/account-store.ts';
import { retryActions } from '../../storage/breach-action-store.ts';
import { type FoundEvent, storeEvents } from '../../storage/event-store.ts';
import { actionsOf, broke } from './breach.fixture.ts';
import { type BreachProcess, startBreachProcess } from './breach-process.fixture.ts';

needs('postgres');

const TAKE_AND_GIVE_BACK = [
  { action: 'disableTrading', confirm: 'none' },
  { action: 'enableTrading', moment: 'reset' },
] as const;

for (const kind of ['sqlite', 'postgres'] as const)
  describe(`what a breach took is given back at the next reset, on ${kind}`, () => {
    let fixture: PlatformFixture;
    let process: BreachProcess;
    let login = 200_003;
    let resetMs = 0;
    before(async () => {
      fixture = await platformFixture(kind);
    });
    after(() => fixture.close());
    beforeEach(async () => {
      process = await startBreachProcess(fixture);
      resetMs = process.time.now() + HOUR_MS;
      login += 1;
    });
    afterEach(() => process.stop());

    const pass = async (ms: number): Promise<void> => {
      await process.time.pass(ms);
      fixture.clock.nowMs += ms;
    };
    const found = async (event: FoundEvent): Promise<void> => {
      const { partition, epoch } = await ownPartition(fixture.files.database);
      await storeEvents(fixture.files.database, partition, epoch, [event], process.time.now());
    };
    const fall = async (): Promise<Account> => {
      const place = { profileId: fixture.profile.id, login, nowMs: process.time.now() };
      const until = { ...place, periodEndMs: resetMs };
      return broke(fixture.files.database, until, TAKE_AND_GIVE_BACK);
    };
    const states = async (account: Account): Promise<string[]> =>
      (await actionsOf(fixture.files.database, account)).map(({ state }) => state);
    const become = (account: Account, ...wanted: string[]): Promise<void> =>
      until(async () => String(await states(account)) === String(wanted), String(wanted));
    const reason = async (account: Account): Promise<string | null> =>
      (await actionsOf(fixture.files.database, account)).find(({ moment }) => moment === 'reset')
        ?.message ?? null;
    const isTrading = async () => (await fixture.real.settings(login))?.tradingEnabled;

    it('not before it, and once within a second of it', async () => {
      const account = await fall();
      await pass(2000);
      await become(account, 'done', 'waiting');
      await pass(HOUR_MS - 2001);
      await process.settle();
      assert.deepEqual([await states(account), await isTrading()], [['done', 'waiting'], false]);
      await pass(1000);
      await become(account, 'done', 'done');
      assert.equal(await isTrading(), true);
      assert.match((await reason(account)) ?? '', /confirmed \d{1,4} ms after the reset$/);
    });

    it('also if the breach was revised away meanwhile', async () => {
      const account = await fall();
      await pass(2000);
      await become(account, 'done', 'waiting');
      await found(revisionOf(account.number, { position: 2 }));
      await pass(HOUR_MS);
      await become(account, 'done', 'done');
      assert.equal(await isTrading(), true);
    });

    it('after what the breach takes, however late the platform let it', async () => {
      fixture.overrides.changeSettings = broken(false);
      resetMs = process.time.now() + 2000;
      const account = await fall();
      for (let passedMs = 0; passedMs < 4000; passedMs += 250) {
        await pass(250);
        await process.settle();
      }
      const tried = await actionsOf(fixture.files.database, account);
      delete fixture.overrides.changeSettings;
      assert.deepEqual(
        tried.map(({ attempts }) => attempts > 0),
        [true, false],
      );
      await untilPassed(
        () => pass(1000).then(process.settle),
        async () => String(await states(account)) === 'done,done',
        'both actions',
      );
      assert.equal(await isTrading(), true);
    });

    /** Waits until another attempt has taken what the reset gives back. */
    const takenAgain = (account: Account): Promise<void> =>
      untilPassed(
        () => pass(250).then(process.settle),
        async () => String(await states(account)) === 'done,waiting',
        'another attempt',
      );

    it('but not what somebody else had taken before', async () => {
      await fixture.real.changeSettings(login, { tradingEnabled: false });
      const account = await fall();
      await pass(2000);
      await become(account, 'done', 'waiting');
      await pass(HOUR_MS);
      await become(account, 'done', 'escalated');
      assert.equal(await isTrading(), false);
      assert.match((await reason(account)) ?? '', /disabled already when the limit was broken/);
    });

    it('nor if the first attempt ended before it asked for anything', async () => {
      const { overrides, real } = fixture;
      await real.changeSettings(login, { tradingEnabled: false });
      overrides.settings = async () => {
        delete overrides.settings;
        return broken(false)();
      };
      const account = await fall();
      await takenAgain(account);
      assert.equal((await actionsOf(fixture.files.database, account))[0]?.attempts, 2);
      await pass(HOUR_MS);
      await become(account, 'done', 'escalated');
      assert.equal(await isTrading(), false);
    });

    it('but what it took itself, also if the answer was lost', async () => {
      const { overrides, real } = fixture;
      overrides.changeSettings = async (...of) => {
        delete overrides.changeSettings;
        await real.changeSettings(...of);
        return broken(true)();
      };
      const account = await fall();
      await takenAgain(account);
      await pass(HOUR_MS);
      await become(account, 'done', 'done');
      assert.equal(await isTrading(), true);
    });

    for (const [name, laterMs, first] of [
      ['at the same moment, when both periods end', 0, 'done'],
      ['when the longer period ends', HOUR_MS, 'escalated'],
    ] as const)
      it(`what two breaches took, ${name}`, async () => {
        const account = await fall();
        await pass(2000);
        await become(account, 'done', 'waiting');
        const other = eventOf(account.number, { startTimeMs: 9, position: 3 });
        await found({ ...other, periodEndMs: resetMs + laterMs });
        await pass(2000);
        await become(account, 'done', 'waiting', 'done', 'waiting');
        await pass(HOUR_MS);
        if (laterMs > 0) {
          await become(account, 'done', first, 'done', 'waiting');
          assert.equal(await isTrading(), false);
          await pass(laterMs);
        }
        await become(account, 'done', first, 'done', 'done');
        assert.equal(await isTrading(), true);
      });

    it('nor what a later breach took while the answer to giving it back was lost', async () => {
      const { overrides, real } = fixture;
      const account = await fall();
      await pass(2000);
      await become(account, 'done', 'waiting');
      overrides.changeSettings = async (...of) => {
        delete overrides.changeSettings;
        await real.changeSettings(...of);
        const later = eventOf(account.number, { startTimeMs: 9, position: 3 });
        await found({ ...later, periodEndMs: resetMs + HOUR_MS });
        return broken(true)();
      };
      await pass(HOUR_MS);
      await untilPassed(
        () => pass(100).then(process.settle),
        async () => /^done,(?:done|escalated),done,/.test(String(await states(account))),
        'another attempt',
      );
      assert.deepEqual([(await states(account))[1], await isTrading()], ['escalated', false]);
    });

    it('nor what an earlier breach took for longer, late', async () => {
      fixture.overrides.changeSettings = broken(false);
      resetMs += HOUR_MS;
      const account = await fall();
      await untilPassed(
        () => pass(250).then(process.settle),
        async () => Number((await actionsOf(fixture.files.database, account))[0]?.attempts) > 1,
        'two attempts',
      );
      delete fixture.overrides.changeSettings;
      const later = eventOf(account.number, { startTimeMs: 9, position: 3 });
      await found({ ...later, periodEndMs: resetMs - HOUR_MS });
      await untilPassed(
        () => pass(250).then(process.settle),
        async () => /^done,waiting,done,waiting$/.test(String(await states(account))),
        'both bans',
      );
      await pass(HOUR_MS);
      await become(account, 'done', 'waiting', 'done', 'escalated');
      assert.equal(await isTrading(), false);
      await pass(HOUR_MS);
      await become(account, 'done', 'done', 'done', 'escalated');
      assert.equal(await isTrading(), true);
    });

    it('nor what a later breach has taken for longer, unless a person says so', async () => {
      const { database } = fixture.files;
      const account = await fall();
      await pass(2000);
      await become(account, 'done', 'waiting');
      const later = eventOf(account.number, { startTimeMs: 9, position: 3 });
      await found({ ...later, periodEndMs: resetMs + HOUR_MS });
      await pass(2000);
      await become(account, 'done', 'waiting', 'done', 'waiting');
      await pass(HOUR_MS);
      await become(account, 'done', 'escalated', 'done', 'waiting');
      assert.equal(await isTrading(), false);
      assert.match((await reason(account)) ?? '', /another breach has disabled trading for longer/);
      await database.transaction((tx) =>
        retryActions(tx, 'user', { ids: undefined, entriesBelow: 400 }),
      );
      await pass(2000);
      await become(account, 'done', 'done', 'done', 'waiting');
      assert.equal(await isTrading(), true);
    });
  });
