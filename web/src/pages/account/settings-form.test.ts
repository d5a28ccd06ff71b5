import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AccountRecord } from '../../../../src/contract/operations/accounts.ts';
import { changeOf, nowOf, type SettingsForm, settingsOf } from './settings-form.ts';

const account = {
  ...{ name: 'Ada', broker: 'Harbour', leverage: 100, labels: ['desk'] },
  ...{ deployed: true, statisticsEnabled: true },
  brokerClock: { zone: 'Europe/Athens' },
} as AccountRecord;
const stored = settingsOf(account);

const change = (changed: Partial<SettingsForm>) =>
  changeOf({ form: { ...stored, ...changed }, changed }, account);

describe('the typed settings of an account', () => {
  it('send only changes', () => {
    assert.deepEqual(change({ name: ' Bea ', leverage: '200' }), { name: 'Bea', leverage: 200 });
    assert.deepEqual(change({ deployed: false }), { deployed: false });
    assert.deepEqual(change({ shiftHours: '1' }), {
      brokerClock: { zone: 'Europe/Athens', shiftHours: 1 },
    });
  });

  it('send nothing equal to the stored value', () => {
    assert.deepEqual(change({}), {});
    const same = { name: 'Ada ', leverage: '100.0', labels: ' desk,', shiftHours: '0.0' };
    assert.deepEqual(change(same), {});
  });

  it('are not sent while a field can’t be read', () => {
    for (const wrong of [{ leverage: '' }, { shiftHours: 'two' }, { labels: 'x'.repeat(51) }]) {
      assert.equal(change(wrong), undefined);
    }
  });

  it('show changes of fields by someone else', () => {
    assert.equal(nowOf(stored, 'deployed'), 'The switch “deployed” is on by now');
    assert.equal(nowOf(stored, 'broker'), 'The broker is “Harbour” by now');
  });
});
