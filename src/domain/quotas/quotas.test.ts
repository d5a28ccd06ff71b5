import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  exceededQuotas,
  holdingUsage,
  type QuotaHolding,
  type Quotas,
  takesMore,
  usageInPercents,
  usageOf,
} from './quotas.ts';

const ONE_OF_EACH: Quotas = {
  maxAccounts: 1,
  maxDeployedG1Accounts: 1,
  maxDeployedG2Accounts: 1,
  maxDeployedCopyAccounts: 1,
  maxDedicatedIpv4: 1,
};
const PLAIN: QuotaHolding = { tier: 'g2', deployed: true, copy: false, dedicatedIpv4: false };

test('an undeployed account counts as an account and for its address, not as deployed', () => {
  const holding: QuotaHolding = { tier: 'g1', deployed: false, copy: true, dedicatedIpv4: true };
  assert.deepEqual(holdingUsage(holding), {
    maxAccounts: 1,
    maxDeployedG1Accounts: 0,
    maxDeployedG2Accounts: 0,
    maxDeployedCopyAccounts: 0,
    maxDedicatedIpv4: 1,
  });
});

test('a deployed account counts in its own tier, and as a copy account when it copies', () => {
  const usage = holdingUsage({ tier: 'g1', deployed: true, copy: true, dedicatedIpv4: false });
  assert.equal(usage.maxDeployedG1Accounts, 1);
  assert.equal(usage.maxDeployedG2Accounts, 0);
  assert.equal(usage.maxDeployedCopyAccounts, 1);
});

test('an account that does not exist uses nothing', () => {
  assert.ok(Object.values(holdingUsage(undefined)).every((used) => used === 0));
});

test('accounts of several kinds add up', () => {
  const stopped = { ...PLAIN, deployed: false, dedicatedIpv4: true };
  const counts = [
    { holding: PLAIN, accounts: 3 },
    { holding: stopped, accounts: 2 },
  ];
  assert.deepEqual(usageOf(counts), {
    maxAccounts: 5,
    maxDeployedG1Accounts: 0,
    maxDeployedG2Accounts: 3,
    maxDeployedCopyAccounts: 0,
    maxDedicatedIpv4: 2,
  });
});

test('usage is a percentage of the quota, beyond 100 if the quota was lowered', () => {
  assert.equal(usageInPercents(50, 100), 50);
  assert.equal(usageInPercents(3, 2), 150);
  assert.equal(usageInPercents(1, 3), 100 / 3);
  assert.equal(usageInPercents(7, 100), 7);
});

test('of a quota of zero, no usage is 0 percent and any usage is 100 percent', () => {
  assert.equal(usageInPercents(0, 0), 0);
  assert.equal(usageInPercents(5, 0), 100);
});

test('creating beyond a quota names the quota, its maximum and its usage', () => {
  const usage = { ...holdingUsage(PLAIN) };
  assert.deepEqual(exceededQuotas(usage, undefined, PLAIN, ONE_OF_EACH), [
    { quota: 'maxAccounts', max: 1, used: 1 },
    { quota: 'maxDeployedG2Accounts', max: 1, used: 1 },
  ]);
});

test('deploying touches the deployed quotas only', () => {
  const stopped = { ...PLAIN, deployed: false };
  const usage = { ...holdingUsage(stopped), maxAccounts: 5 };
  assert.deepEqual(exceededQuotas(usage, stopped, PLAIN, ONE_OF_EACH), []);
  const full = { ...usage, maxDeployedG2Accounts: 1 };
  assert.deepEqual(exceededQuotas(full, stopped, PLAIN, ONE_OF_EACH), [
    { quota: 'maxDeployedG2Accounts', max: 1, used: 1 },
  ]);
});

test('moving to the other tier needs room there and frees its place here', () => {
  const moved: QuotaHolding = { ...PLAIN, tier: 'g1' };
  const usage = { ...holdingUsage(PLAIN), maxDeployedG1Accounts: 1 };
  assert.deepEqual(exceededQuotas(usage, PLAIN, moved, ONE_OF_EACH), [
    { quota: 'maxDeployedG1Accounts', max: 1, used: 1 },
  ]);
});

test('only a change that uses more of a quota needs room', () => {
  const stopped = { ...PLAIN, deployed: false };
  assert.equal(takesMore(undefined, stopped), true);
  assert.equal(takesMore(stopped, PLAIN), true);
  assert.equal(takesMore(PLAIN, { ...PLAIN, tier: 'g1' }), true);
  assert.equal(takesMore(PLAIN, PLAIN), false);
  assert.equal(takesMore(PLAIN, stopped), false);
  assert.equal(takesMore(PLAIN, undefined), false);
});

test('usage that does not grow is allowed above a lowered quota, and so is removal', () => {
  const none: Quotas = {
    maxAccounts: 0,
    maxDeployedG1Accounts: 0,
    maxDeployedG2Accounts: 0,
    maxDeployedCopyAccounts: 0,
    maxDedicatedIpv4: 0,
  };
  const usage = holdingUsage(PLAIN);
  assert.deepEqual(exceededQuotas(usage, PLAIN, { ...PLAIN, deployed: false }, none), []);
  assert.deepEqual(exceededQuotas(usage, PLAIN, PLAIN, none), []);
  assert.deepEqual(exceededQuotas(usage, PLAIN, undefined, none), []);
});
