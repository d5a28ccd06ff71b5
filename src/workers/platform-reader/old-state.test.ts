import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { TestTime } from '../../../test/servers/test-time.ts';
import { until } from '../../../test/servers/until.ts';
import { newAccount } from '../../../test/storage-contract/fixture.ts';
import { PlatformError } from '../../platforms/gateway.ts';
import { presentAccount } from '../../services/accounts/present-account.ts';
import {
  type PlatformFixture,
  platformFixture,
} from '../../services/platform-accounts/platform.fixture.ts';
import type { Account } from '../../storage/account-store.ts';
import { findSync } from '../../storage/sync-store.ts';
import { ProfileReader } from './profile-reader.ts';

const LACKING = new PlatformError('unsupported', 'the p4 bridge has no GET /accounts/{login}');

let fixture: PlatformFixture;
before(async () => {
  fixture = await platformFixture();
});
after(() => fixture.close());
beforeEach(() => {
  for (const name of Object.keys(fixture.overrides)) delete fixture.overrides[name as 'user'];
});

/** An account whose profile is read until the test ends, and its reader's time. */
async function reading(login: string): Promise<{ account: Account; time: TestTime; end(): void }> {
  const { context, profile, files } = fixture;
  const account = await newAccount(files.database, { login, profileId: profile.id });
  const time = new TestTime();
  const stop = new AbortController();
  const reader = new ProfileReader(context, time, profile.id, async () => undefined);
  const ended = reader.run(stop.signal);
  const end = (): void => {
    stop.abort();
    void ended;
  };
  return { account, time, end };
}

const syncOf = async ({ number }: Account) => findSync(fixture.files.database, number);

test('an account without a good state fails after a while, and names the call, until it is read', async (t) => {
  fixture.overrides.readStates = () => {
    throw LACKING;
  };
  const { account, time, end } = await reading('200001');
  t.after(end);
  await until(async () => {
    await time.pass(5_000);
    return (await syncOf(account))?.failures === 1;
  }, 'the failure');
  const { sync } = await presentAccount(fixture.context, account);
  assert.equal(sync?.state, 'failing');
  assert.match(sync?.lastError ?? '', /no state for a minute: .*GET \/accounts\/\{login\}/);
  delete fixture.overrides.readStates;
  await until(async () => {
    await time.pass(5_000);
    return (await syncOf(account))?.failures === 0;
  }, 'the end of the failure');
});

test('accounts of a profile that no process reads are failing, and do not wait for ever', async () => {
  const { context, profile, files } = fixture;
  const profileId = profile.id;
  const account = await newAccount(files.database, { login: '200002', profileId });
  const at = (ms: number) => ({ ...context, now: () => account.createdAtMs + ms });
  assert.equal((await presentAccount(at(59_000), account)).sync?.state, 'waiting');
  const { sync } = await presentAccount(at(61_000), account);
  assert.equal(sync?.state, 'failing');
  assert.match(sync?.lastError ?? '', /No process has read/);
});
