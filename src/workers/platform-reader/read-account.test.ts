import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { TestTime } from '../../../test/servers/test-time.ts';
import { untilPassed } from '../../../test/servers/until.ts';
import { newAccount } from '../../../test/storage-contract/fixture.ts';
import {
  type PlatformFixture,
  platformFixture,
} from '../../services/platform-accounts/platform.fixture.ts';
import { type BoundAccount, storeAccountReading, syncOf } from './account-reading.ts';
import { readAccount } from './read-account.ts';

const NOTHING = { range: { fromMs: 0, toMs: 0 }, deals: [], isWhole: false };

describe('a reading of one account that another one overtakes', () => {
  let fixture: PlatformFixture;
  let account: BoundAccount;
  let login = 200_001;
  before(async () => {
    fixture = await platformFixture();
  });
  beforeEach(async () => {
    delete fixture.overrides.deals;
    const { profile, files } = fixture;
    const bound = await newAccount(files.database, { login: `${login}`, profileId: profile.id });
    account = { ...bound, profileId: profile.id };
    login += 1;
  });
  after(() => fixture.close());

  /** Another process stores a step of a reading. */
  const storeStep = async (): Promise<void> => {
    const sync = await syncOf(fixture.context, account);
    const step = { ...NOTHING, before: sync, cursorMs: sync.cursorMs };
    assert.notEqual(typeof (await storeAccountReading(fixture.context, account, step)), 'string');
  };

  /** Reads while others store steps: some before its requests are answered, others between. */
  async function readBeside(stepsBefore: number, stepsBetween: number): Promise<number[]> {
    const { context, profile, overrides, real } = fixture;
    const time = new TestTime();
    const left = { before: stepsBefore, between: stepsBetween };
    /** The others' steps between its requests at which it asked for deals. */
    const asked: number[] = [];
    overrides.deals = async (query) => {
      asked.push(stepsBetween - left.between);
      if (left.before > 0) {
        left.before -= 1;
        await storeStep();
      }
      return real.deals(query);
    };
    let hasEnded = false;
    const reading = context.gateways
      .use(profile, (gateway) => readAccount({ context, gateway, time }, account, true))
      .finally(() => {
        hasEnded = true;
      });
    const pass = async (): Promise<void> => {
      if (time.timers > 0 && left.between > 0) {
        left.between -= 1;
        await storeStep();
      }
      await time.pass(1_000);
    };
    await untilPassed(pass, () => hasEnded, 'the end of the reading');
    const { state, sync } = (await reading) ?? assert.fail();
    assert.ok(state.balance > 0);
    assert.ok(sync.cursorMs > 0);
    return asked;
  }

  it("continues, as often as others' first reading has steps", async () => {
    await readBeside(4, 0);
  });

  it('waits until the other one has finished before reading deals again', async () => {
    const asked = await readBeside(1, 6);
    assert.deepEqual(new Set(asked), new Set([0, 6]));
  });
});
