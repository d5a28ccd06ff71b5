import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { checkAccountOnPlatform } from './check-account.ts';
import { broken, type PlatformFixture, platformFixture } from './platform.fixture.ts';

let fixture: PlatformFixture;
before(async () => {
  fixture = await platformFixture();
});
after(() => fixture.close());

const ACCOUNT = {
  userId: 'user',
  profileId: 'profile',
  platform: 'p5',
  login: '200001',
  currency: 'USD',
  leverage: 100,
} as const;
const check = (fields: object = {}) =>
  checkAccountOnPlatform(fixture.context, { ...ACCOUNT, ...fields });
const faultsOf = async (fields: object): Promise<string[]> => {
  const found = await check(fields);
  assert.equal(found.outcome, 'refused');
  return found.outcome === 'refused' ? found.faults.map(({ parameter }) => parameter) : [];
};

test('an account that the platform has as it is given is confirmed', async () => {
  const found = await check();
  assert.equal(found.outcome, 'confirmed');
  assert.ok(found.outcome === 'confirmed' && found.information.login === 200001);
});

test('every difference from the platform is a fault of its parameter', async () => {
  assert.deepEqual(await faultsOf({ currency: 'EUR', leverage: 7 }), ['currency', 'leverage']);
  for (const login of ['999999', 'abc', '0', '-1', '1e3', '9'.repeat(16)])
    assert.deepEqual(await faultsOf({ login }), ['login']);
});

test('profiles of others and of the other family are not asked', async () => {
  for (const fields of [{ userId: 'another' }, { platform: 'p4' }, { profileId: 'nowhere' }])
    assert.deepEqual(await faultsOf(fields), ['profileId']);
});

test('an account of a platform that is away is unchecked, and says why', async () => {
  fixture.overrides.accountInformation = broken(false);
  const found = await check();
  assert.deepEqual(found, {
    outcome: 'unchecked',
    reason: 'The platform of this profile is not available: it broke',
  });
});
