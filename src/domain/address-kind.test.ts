import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressKind } from './address-kind.ts';

const EXAMPLES = {
  public: '8.8.8.8 172.32.0.1 100.128.0.1 2606:4700::1111',
  private: '127.0.0.1 10.1.2.3 172.31.0.1 192.168.1.1 100.64.0.1 ::1 fc00::1 fd00:ec2::254',
  refused:
    '169.254.169.254 0.0.0.0 224.0.0.1 255.255.255.255 192.0.2.7 :: fe80::1 ff02::1 2001:db8::1 ' +
    '2002:7f00:1:: ::ffff:127.0.0.1 ::ffff:8.8.8.8 64:ff9b::a00:1 localhost nonsense',
} as const;

for (const [kind, addresses] of Object.entries(EXAMPLES))
  test(`addresses that are ${kind} are recognised`, () => {
    for (const address of addresses.split(' ')) assert.equal(addressKind(address), kind, address);
  });
