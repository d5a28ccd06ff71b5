import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_QUOTA } from '../../domain/quotas/quotas.ts';
import { QUOTA_NAMES } from '../../words/service.ts';
import { requestQuotasOperation, setQuotasOperation } from './quotas.ts';

test('the API has the quotas and the bound of the domain, and no others', () => {
  const { justification: _, ...requested } = requestQuotasOperation.body.properties;
  for (const properties of [requested, setQuotasOperation.body.properties]) {
    assert.deepEqual(Object.keys(properties), [...QUOTA_NAMES]);
    for (const schema of Object.values(properties))
      assert.equal('maximum' in schema && schema.maximum, MAX_QUOTA);
  }
});
