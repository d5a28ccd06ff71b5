import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ProfileRecord } from '../../../src/contract/operations/profiles.ts';
import { chooseProfile, START, toNewAccount } from './account-form.ts';

const typed = { ...START, name: ' Ada ', broker: 'Harbour', login: '42', currency: 'eur' };
const athens = { brokerClock: { zone: 'Europe/Athens' } } as ProfileRecord;

describe('a typed new account', () => {
  it('is sent without spaces around, its currency in capitals', () => {
    assert.deepEqual(toNewAccount(typed), {
      name: 'Ada',
      broker: 'Harbour',
      platform: 'p5',
      login: '42',
      currency: 'EUR',
      leverage: 100,
      brokerClock: { zone: 'America/New_York', shiftHours: 7 },
    });
  });

  it('takes the clock of its profile', () => {
    const sent = toNewAccount(chooseProfile(typed, 'p', athens));
    assert.equal(sent?.profileId, 'p');
    assert.deepEqual(sent?.brokerClock, { zone: 'Europe/Athens', shiftHours: 0 });
  });

  it('keeps a typed clock', () => {
    const own = { ...typed, zone: 'UTC', shiftHours: '2', isClockTyped: true };
    assert.deepEqual(toNewAccount(chooseProfile(own, 'p', athens))?.brokerClock, {
      zone: 'UTC',
      shiftHours: 2,
    });
  });

  it('is not sent while a number can’t be read', () => {
    for (const wrong of [{ leverage: '' }, { leverage: '2:100' }, { shiftHours: 'seven' }]) {
      assert.equal(toNewAccount({ ...typed, ...wrong }), undefined);
    }
  });
});
