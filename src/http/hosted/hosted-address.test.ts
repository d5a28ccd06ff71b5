import assert from 'node:assert/strict';
import { it } from 'node:test';
import { hostedAddress } from './hosted-address.ts';

it('keeps a whole query, also one with question marks', () => {
  const address = hostedAddress([]);
  const url = '/users/current/mt5/provisioning-profiles/p/symbols?mask=a?b&c=?';
  assert.equal(address({ url }), url.replace('mt5', 'p5'));
});
