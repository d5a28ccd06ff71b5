import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../test/properties.ts';
import { QUOTA_NAMES } from '../../words/service.ts';
import { applyQuotaChange, decideByPolicy, mergeRequests } from './quota-request.ts';
import { exceededQuotas, MAX_QUOTA, type QuotaHolding, usageOf } from './quotas.ts';

const holding: fc.Arbitrary<QuotaHolding> = fc.record({
  tier: fc.constantFrom('g1', 'g2'),
  deployed: fc.boolean(),
  copy: fc.boolean(),
  dedicatedIpv4: fc.boolean(),
});
const limit = (max: number) => fc.integer({ min: 0, max });
const quotas = (max: number) =>
  fc.record({
    maxAccounts: limit(max),
    maxDeployedG1Accounts: limit(max),
    maxDeployedG2Accounts: limit(max),
    maxDeployedCopyAccounts: limit(max),
    maxDedicatedIpv4: limit(max),
  });
const change = (max: number) =>
  quotas(max).chain((all) =>
    fc.subarray([...QUOTA_NAMES]).map((names) => Object.fromEntries(names.map((n) => [n, all[n]]))),
  );

const usageOfAll = (accounts: readonly (QuotaHolding | undefined)[]) =>
  usageOf(accounts.flatMap((account) => (account ? [{ holding: account, accounts: 1 }] : [])));

test('with requests in any order, admitted accounts never exceed a quota', () => {
  const steps = fc.array(fc.tuple(limit(7), fc.option(holding, { nil: undefined })));
  fc.assert(
    fc.property(quotas(5), steps, (max, asked) => {
      const accounts: (QuotaHolding | undefined)[] = Array(8).fill(undefined);
      for (const [place, after] of asked) {
        const usage = usageOfAll(accounts);
        if (exceededQuotas(usage, accounts[place], after, max).length === 0)
          accounts[place] = after;
      }
      const usage = usageOfAll(accounts);
      assert.ok(QUOTA_NAMES.every((name) => usage[name] <= max[name]));
    }),
  );
});

test('every refusal is needed: applied anyway, each named quota would be exceeded', () => {
  fc.assert(
    fc.property(quotas(3), fc.array(holding), holding, (max, accounts, added) => {
      const after = usageOfAll([...accounts, added]);
      for (const { quota } of exceededQuotas(usageOfAll(accounts), undefined, added, max))
        assert.ok(after[quota] > max[quota]);
    }),
  );
});

test('merging then applying equals applying one after another', () => {
  const any = change(MAX_QUOTA);
  fc.assert(
    fc.property(quotas(MAX_QUOTA), any, any, (current, first, second) => {
      const merged = mergeRequests({ change: first }, { change: second });
      assert.deepEqual(
        applyQuotaChange(current, merged.change),
        applyQuotaChange(applyQuotaChange(current, first), second),
      );
    }),
  );
});

test('the policy never lifts a quota above its ceiling', () => {
  fc.assert(
    fc.property(quotas(20), change(20), change(20), (current, asked, approveUpTo) => {
      if (decideByPolicy(asked, { approveUpTo }) !== 'approve') return;
      const after = applyQuotaChange(current, asked);
      for (const name of QUOTA_NAMES)
        assert.ok(asked[name] === undefined || after[name] <= (approveUpTo[name] ?? -1));
    }),
  );
});
