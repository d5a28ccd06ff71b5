import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compareAccounts } from './compare-series.ts';

const at = (hour: number, index: number) => ({
  startBrokerTime: new Date(hour * 3_600_000).toISOString().replace('T', ' ').slice(0, 23),
  ...{ below: 0, index },
});
const seconds = (hour: number): number => (hour + 1) * 3_600;

describe('compared accounts', () => {
  it('begin at 0 in the first hour in which all of them have figures', () => {
    const { times, accounts } = compareAccounts([
      [at(1, 1), at(2, 2), at(3, 3)],
      [at(2, 10), at(3, 5)],
    ]);
    assert.deepEqual(times, [seconds(2), seconds(3)]);
    assert.deepEqual(accounts[0]?.gains, [0, 0.5]);
    assert.deepEqual(accounts[1]?.gains, [0, -0.5]);
    assert.deepEqual([accounts[1]?.gain, accounts[1]?.deepest], [-0.5, 0.5]);
  });

  it('fall from their own highest point, not from the beginning', () => {
    const [account] = compareAccounts([[at(1, 1), at(2, 2), at(3, 1.5)]]).accounts;
    assert.deepEqual([account?.gain, account?.deepest], [0.5, 0.25]);
  });

  it('have no line over an unknown time', () => {
    const { times, accounts } = compareAccounts([[at(1, 1), at(20, 2)], [at(1, 1)]]);
    assert.deepEqual(times, [seconds(1), seconds(1) + 1, seconds(20)]);
    assert.deepEqual(accounts[0]?.gains, [0, null, 1]);
    assert.equal(accounts[1]?.gains[0], 0);
  });

  it('begin at 0 in a stretch of it, and fall from the highest point there', () => {
    const hours = [at(1, 1), at(2, 4), at(3, 2), at(4, 3), at(5, 9)];
    const { times, accounts } = compareAccounts([hours], [seconds(3), seconds(4)]);
    assert.deepEqual(times, [seconds(3), seconds(4)]);
    assert.deepEqual([accounts[0]?.gain, accounts[0]?.deepest], [0.5, 0]);
  });

  it('are left out without figures, and do not prevent others from being shown', () => {
    const { accounts } = compareAccounts([[at(1, 1), at(2, 3)], []]);
    assert.deepEqual(accounts[0]?.gains, [0, 2]);
    assert.equal(accounts[1], undefined);
  });
});
