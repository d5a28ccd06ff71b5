import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseServerAddress } from './server-address.ts';

const place = (server: string): string => {
  const { secure, host, port } = parseServerAddress(server, { allowPrivate: true });
  return `${secure ? 'tls' : 'plain'} ${host} ${port}`;
};

test('addresses are https on port 443 by default', () => {
  assert.equal(place('https://access.example.com'), 'tls access.example.com 443');
  assert.equal(place('access.example.com:1950'), 'tls access.example.com 1950');
  assert.equal(place('https://access.example.com:444/'), 'tls access.example.com 444');
  assert.equal(place('https://[2606:4700::1111]:443'), 'tls 2606:4700::1111 443');
});

test('plain http reaches loopback addresses and nothing else', () => {
  assert.equal(place('http://127.0.0.1:8080'), 'plain 127.0.0.1 8080');
  assert.equal(place('http://localhost'), 'plain localhost 80');
  assert.equal(place('http://[::1]:81'), 'plain ::1 81');
  for (const server of ['http://10.0.0.1', 'http://127.0.0.1.example.com', 'http://example.com'])
    assert.throws(() => parseServerAddress(server, { allowPrivate: true }), { code: 'invalid' });
});

test('private addresses need permission, link-local and reserved ones are always refused', () => {
  const hosts = 'localhost 127.0.0.1 [::1] 10.0.0.1:443 192.168.1.7 [fd00::1]:444';
  for (const server of hosts.split(' ').map((host) => `https://${host}`)) {
    assert.throws(() => parseServerAddress(server), {
      code: 'invalid',
      message: /PRIVATE_PLATFORMS/,
    });
    assert.equal(parseServerAddress(server, { allowPrivate: true }).allowPrivate, true);
  }
  for (const host of ['169.254.169.254', '[fe80::1]', '0.0.0.0', '224.0.0.1', '[::ffff:127.0.0.1]'])
    assert.throws(() => parseServerAddress(`https://${host}`, { allowPrivate: true }), {
      code: 'invalid',
    });
});

test('invalid server addresses are refused without being repeated', () => {
  for (const server of [
    '',
    'https://',
    'ftp://example.com',
    'https://user:topsecret@example.com',
    'https://example.com/topsecret',
    'https://example.com?password=topsecret',
    'https://example.com#topsecret',
    'https://exa mple',
  ])
    assert.throws(() => parseServerAddress(server), {
      code: 'invalid',
      message: /^(?!.*topsecret)/,
    });
});

test('a pin that is no SHA-256 and an authority that is no certificate are refused', () => {
  for (const trust of [{ tlsFingerprint: 'AB:CD' }, { tlsFingerprint: '' }, { tlsCa: 'hello' }])
    assert.throws(() => parseServerAddress('https://example.com', trust), { code: 'invalid' });
});
