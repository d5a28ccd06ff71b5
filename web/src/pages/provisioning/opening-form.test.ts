import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openingOf, toAccount } from './opening-form.ts';

const typed = { ...openingOf('demo\\usd'), email: ' ada@example.com ' };

describe('a typed account to be opened', () => {
  it('is sent with the filled-in fields, and nothing else', () => {
    const form = { ...typed, city: ' Bergen ', state: ' ', clientId: '12', isEnabled: false };
    assert.deepEqual(toAccount(form), {
      email: 'ada@example.com',
      group: 'demo\\usd',
      leverage: 100,
      clientId: 12,
      city: 'Bergen',
      enabled: false,
    });
  });

  it('is not sent while a number can’t be read', () => {
    for (const wrong of [{ leverage: '' }, { leverage: '0.5' }, { clientId: 'A12' }]) {
      assert.equal(toAccount({ ...typed, ...wrong }), undefined);
    }
  });
});
