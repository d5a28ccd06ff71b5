import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../test/properties.ts';
import { addressKey, Rate } from './rate-limits.ts';

const MINUTE_MS = 60_000;

test('a minute allows a number, and refuses the next until its time comes', () => {
  let nowMs = 0;
  const rate = new Rate(60, () => nowMs);
  for (let sent = 0; sent < 60; sent += 1) {
    assert.equal(rate.waitSeconds('a'), 0);
    rate.count('a');
  }
  assert.equal(rate.waitSeconds('a'), 1);
  assert.equal(rate.waitSeconds('b'), 0, 'others are not concerned');
  nowMs += 1000;
  assert.equal(rate.waitSeconds('a'), 0);
  rate.count('a');
  assert.equal(rate.waitSeconds('a'), 1);
});

test('a client that never stops is never let in more often than the limit', () => {
  const steps = fc.array(fc.nat({ max: 3000 }), { minLength: 1, maxLength: 400 });
  fc.assert(
    fc.property(steps, fc.integer({ min: 1, max: 100 }), (pauses, perMinute) => {
      let nowMs = 0;
      const rate = new Rate(perMinute, () => nowMs);
      const taken: number[] = [];
      for (const pause of pauses) {
        nowMs += pause;
        const wait = rate.waitSeconds('a');
        if (wait > 0) continue;
        rate.count('a');
        taken.push(nowMs);
        // A burst of a minute's worth, and the refill of a minute.
        const inMinute = taken.filter((timeMs) => timeMs > nowMs - MINUTE_MS).length;
        assert.ok(inMinute <= 2 * perMinute, `${inMinute} of ${perMinute}`);
      }
    }),
  );
});

test('continued refused requests hold the limit, and end with it', () => {
  let nowMs = 0;
  const rate = new Rate(6, () => nowMs);
  for (let sent = 0; sent < 1000; sent += 1) rate.count('a');
  assert.equal(rate.waitSeconds('a'), 10);
  nowMs += 10_000;
  assert.equal(rate.waitSeconds('a'), 0);
});

test('memory is bounded, however many addresses come', () => {
  const rate = new Rate(1, () => 0);
  rate.count('first');
  for (let n = 0; n < 100_000; n += 1) rate.count(`address-${n}`);
  assert.equal(rate.waitSeconds('first'), 0, 'it is forgotten');
  assert.ok(rate.waitSeconds('address-99999') > 0);
});

test('addresses of one IPv6 network count as one, those of IPv4 singly', () => {
  assert.equal(addressKey('10.0.0.1'), '10.0.0.1');
  assert.equal(addressKey('::ffff:10.0.0.1'), '10.0.0.1');
  assert.equal(addressKey('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2');
  assert.equal(addressKey('2001:db8:1:2::9'), '2001:db8:1:2');
  assert.equal(addressKey('2001:db8::9'), '2001:db8:0:0');
  assert.equal(addressKey('::1'), '0:0:0:0');
  assert.equal(addressKey('fe80::1%eth0'), 'fe80:0:0:0');
});
