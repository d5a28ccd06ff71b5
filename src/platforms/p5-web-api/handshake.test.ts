import assert from 'node:assert/strict';
import { test } from 'node:test';
import { passwordKey, proofOf, provesKey } from './handshake.ts';

// The worked example of the platform's Web API documentation.
const key = passwordKey('Password1');

test('the published handshake example comes out digit by digit', () => {
  assert.equal(key.toString('hex'), '904ba8ecb16273d2f0ae9c3b8a023752');
  assert.equal(
    proofOf(key, '73007dc7184747ce0f7c98516ef1c851'),
    '77fe51827f7fa69dd80fbec9aa33f1bb',
  );
  assert.equal(
    proofOf(key, '4db98fec17aab4dc5a240bdc659e8395'),
    '1732021b1b332f51660b2b315eed3a35',
  );
});

test('only the right answer proves that the server knows the password', () => {
  const random = '4db98fec17aab4dc5a240bdc659e8395';
  assert.equal(provesKey(key, random, '1732021b1b332f51660b2b315eed3a35'), true);
  assert.equal(provesKey(key, random, '1732021B1B332F51660B2B315EED3A35'), true);
  for (const wrong of ['1732021b1b332f51660b2b315eed3a34', '', '17', 'not hex at all'])
    assert.equal(provesKey(key, random, wrong), false);
});
