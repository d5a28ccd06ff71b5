import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { wishFormOf, wishOf } from './quota-wish.ts';
import { QUOTAS } from './quota-words.ts';
import type { PendingRequest, RegionQuotas } from './use-quotas.ts';

const [first, second] = QUOTAS.map(({ name }) => name);
const quotas = {
  region: 'london',
  ...Object.fromEntries(QUOTAS.map(({ name }) => [name, { quota: 10 }])),
} as unknown as RegionQuotas;
const pending = { requested: { [first ?? '']: 20 } } as unknown as PendingRequest;

describe('a request for other maxima', () => {
  it('requests the changes that differ', () => {
    const changed = { [first ?? '']: '1,000', [second ?? '']: '10' };
    assert.deepEqual(wishOf(changed, quotas, undefined), { [first ?? '']: 1000 });
  });

  it('takes back a pending request by asking for the present quota', () => {
    assert.deepEqual(wishOf({ [first ?? '']: '10' }, quotas, pending), { [first ?? '']: 10 });
    assert.deepEqual(wishOf({ [first ?? '']: '20' }, quotas, pending), {});
  });

  it('shows what waits', () => {
    const form = wishFormOf(pending);
    assert.equal(form[first ?? 'justification'], '20');
  });
});
