import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  applyQuotaChange,
  decideByPolicy,
  mergeRequests,
  parseQuotas,
  quotaFaults,
} from './quota-request.ts';
import type { Quotas } from './quotas.ts';

const CURRENT: Quotas = {
  maxAccounts: 10,
  maxDeployedG1Accounts: 10,
  maxDeployedG2Accounts: 10,
  maxDeployedCopyAccounts: 10,
  maxDedicatedIpv4: 0,
};

test('a later request replaces the quotas it names and keeps the rest', () => {
  assert.deepEqual(
    mergeRequests(
      { change: { maxAccounts: 20, maxDedicatedIpv4: 1 }, justification: 'growth' },
      { change: { maxAccounts: 30 } },
    ),
    { change: { maxAccounts: 30, maxDedicatedIpv4: 1 }, justification: 'growth' },
  );
});

test('a later justification replaces the earlier one', () => {
  const merged = mergeRequests(
    { change: { maxAccounts: 20 }, justification: 'growth' },
    { change: {}, justification: 'a new desk' },
  );
  assert.deepEqual(merged, { change: { maxAccounts: 20 }, justification: 'a new desk' });
});

test('applying a change leaves other quotas unchanged', () => {
  assert.deepEqual(applyQuotaChange(CURRENT, { maxDedicatedIpv4: 3 }), {
    ...CURRENT,
    maxDedicatedIpv4: 3,
  });
});

test('the policy approves requests within every ceiling', () => {
  const policy = { approveUpTo: { maxAccounts: 50, maxDedicatedIpv4: 2 } };
  assert.equal(decideByPolicy({ maxAccounts: 50, maxDedicatedIpv4: 2 }, policy), 'approve');
});

test('one quota above its ceiling leaves the whole request to an operator', () => {
  const policy = { approveUpTo: { maxAccounts: 50, maxDedicatedIpv4: 2 } };
  assert.equal(decideByPolicy({ maxAccounts: 5, maxDedicatedIpv4: 3 }, policy), undefined);
  assert.equal(decideByPolicy({ maxDeployedG1Accounts: 11 }, policy), undefined);
});

test('without a policy every request is left to an operator, and an empty request decides nothing', () => {
  assert.equal(decideByPolicy({ maxAccounts: 0 }, { approveUpTo: {} }), undefined);
  assert.equal(decideByPolicy({}, { approveUpTo: { maxAccounts: 5 } }), undefined);
});

test('every fault is named: negative, fractional, absurd, not a number, unknown', () => {
  const faults = quotaFaults({
    maxAccounts: -1,
    maxDeployedG1Accounts: 1.5,
    maxDeployedG2Accounts: 1_000_001,
    maxDeployedCopyAccounts: '7',
    maxDedicatedIpv4: Number.NaN,
    maxWishes: 3,
  });
  assert.deepEqual(
    faults.map((fault) => fault.parameter),
    [
      'maxAccounts',
      'maxDeployedG1Accounts',
      'maxDeployedG2Accounts',
      'maxDeployedCopyAccounts',
      'maxDedicatedIpv4',
      'maxWishes',
    ],
  );
});

test('the bounds themselves are sound', () => {
  assert.deepEqual(quotaFaults({ maxAccounts: 0, maxDedicatedIpv4: 1_000_000 }), []);
});

test('quotas of a setting are read with spaces and a trailing comma', () => {
  assert.deepEqual(parseQuotas(' maxAccounts = 100, maxDedicatedIpv4=2, '), {
    change: { maxAccounts: 100, maxDedicatedIpv4: 2 },
  });
  assert.deepEqual(parseQuotas(''), { change: {} });
});

test('a setting names its unknown, unreadable and doubled quotas', () => {
  const read = parseQuotas(
    'maxAccounts=1=3,maxWishes=3,maxDedicatedIpv4=1,maxDedicatedIpv4=2,__proto__=1',
  );
  assert.ok('faults' in read);
  assert.deepEqual(
    read.faults.map((fault) => fault.parameter),
    ['maxDedicatedIpv4', 'maxAccounts', 'maxWishes', '__proto__'],
  );
});
