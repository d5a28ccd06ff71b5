import assert from 'node:assert/strict';
import { it } from 'node:test';
import { isPublicAddress } from './public-address.ts';

it('distinguishes public addresses from all others', () => {
  const others =
    '127.0.0.1 10.1.2.3 172.31.0.1 192.168.1.1 169.254.169.254 100.64.0.1 0.0.0.0 224.0.0.1 ' +
    '255.255.255.255 ::1 :: fe80::1 fc00::1 ff02::1 ::ffff:127.0.0.1 ::ffff:8.8.8.8 64:ff9b::a00:1 ' +
    '2002:7f00:1:: 2001:db8::1 nonsense';
  for (const address of others.split(' ')) assert.equal(isPublicAddress(address), false, address);
  for (const address of ['8.8.8.8', '172.32.0.1', '2606:4700::1111']) {
    assert.equal(isPublicAddress(address), true, address);
  }
});
