import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deposit, LiveDesk, trackerOf, usd } from '../../../test/simulation/live-desk.ts';
import { decodeLiveAccount, encodeLiveAccount } from './live-account-codec.ts';

function usedDesk(): LiveDesk {
  const desk = new LiveDesk([
    { id: 'día', relativeDrawdownThreshold: 0.05 },
    { id: 'second', period: 'lifetime', baseline: 'peakEquity' },
  ]);
  desk.see('2026-03-02 10:00', 10_000, 10_000);
  desk.book(deposit('2026-03-02 10:30', 500));
  return desk;
}

const TRACKERS = [
  trackerOf({ id: 'second', period: 'lifetime', baseline: 'peakEquity' }),
  trackerOf({ id: 'día', relativeDrawdownThreshold: 0.05 }),
];
const DEFINITIONS = { trackers: TRACKERS, enrolments: [] };

test('an account is decoded as it was encoded, trackers in their order', () => {
  const desk = usedDesk();
  const bytes = encodeLiveAccount(desk.account);
  const { clock } = desk.account;
  const copy = decodeLiveAccount(bytes, 'account', clock, DEFINITIONS, desk.rules);
  assert.deepEqual(copy, desk.account);
  assert.deepEqual(encodeLiveAccount(copy), bytes);
});

const NONE = { trackers: [], enrolments: [] };

test('an account without trackers or snapshots is decoded, too', () => {
  const desk = new LiveDesk();
  const bytes = encodeLiveAccount(desk.account);
  const copy = decodeLiveAccount(bytes, 'account', desk.account.clock, NONE, desk.rules);
  assert.deepEqual(copy, desk.account);
});

test('bytes inside of a larger buffer are decoded', () => {
  const desk = usedDesk();
  const bytes = encodeLiveAccount(desk.account);
  const padded = new Uint8Array(bytes.length + 5);
  padded.set(bytes, 3);
  const inside = padded.subarray(3, 3 + bytes.length);
  const { clock } = desk.account;
  const copy = decodeLiveAccount(inside, 'account', clock, DEFINITIONS, desk.rules);
  assert.deepEqual(copy, desk.account);
});

test('a tracker without a definition is dropped, the others keep their state', () => {
  const desk = usedDesk();
  const bytes = encodeLiveAccount(desk.account);
  const { clock } = desk.account;
  const only = { trackers: TRACKERS.slice(0, 1), enrolments: [] };
  const copy = decodeLiveAccount(bytes, 'account', clock, only, desk.rules);
  assert.deepEqual(copy.trackers, desk.account.trackers.slice(1));
  assert.equal(copy.equity, usd(10_000));
});

test('bytes of another version, cut short or too long are refused', () => {
  const desk = usedDesk();
  const bytes = encodeLiveAccount(desk.account);
  const decode = (bad: Uint8Array) =>
    decodeLiveAccount(bad, 'account', desk.account.clock, DEFINITIONS, desk.rules);
  assert.throws(() => decode(Uint8Array.of(1, ...bytes.subarray(1))), /version 1/);
  for (const length of [0, 1, 3, 50, 131, 140, bytes.length - 1]) {
    assert.throws(() => decode(bytes.subarray(0, length)), RangeError, `${length} bytes`);
  }
  assert.throws(() => decode(Uint8Array.of(...bytes, 0)), /past its end/);
});
