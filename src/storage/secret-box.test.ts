import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { SecretBox } from './secret-box.ts';

const box = new SecretBox(randomBytes(32));

test('a sealed secret opens for its owner', () => {
  assert.equal(box.open(box.seal('Pässword 1', 'profile').secret, 'profile'), 'Pässword 1');
});

test('sealing twice gives different bytes, none of which hold the secret', () => {
  const [one, two] = [box.seal('Password1', 'profile'), box.seal('Password1', 'profile')];
  assert.notDeepEqual(one.secret, two.secret);
  assert.equal(Buffer.from(one.secret).includes('Password1'), false);
});

test('another owner, another key and changed bytes do not open it', () => {
  const { secret } = box.seal('Password1', 'profile');
  const other = new SecretBox(randomBytes(32));
  assert.notEqual(other.keyId, box.keyId);
  assert.throws(() => box.open(secret, 'another profile'));
  assert.throws(() => other.open(secret, 'profile'));
  for (let place = 0; place < secret.length; place += 1) {
    const bytes = Uint8Array.from(secret);
    bytes[place] = (bytes[place] ?? 0) ^ 1;
    assert.throws(() => box.open(bytes, 'profile'));
  }
});
