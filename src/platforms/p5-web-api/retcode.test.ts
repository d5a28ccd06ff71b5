import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseRetcode, platformErrorOf, RetcodeError } from './retcode.ts';

test('a retcode is the number in front of its text', () => {
  assert.deepEqual(parseRetcode('0 Done'), { code: 0, text: 'Done' });
  assert.deepEqual(parseRetcode('13'), { code: 13, text: '' });
  assert.deepEqual(parseRetcode(1018), { code: 1018, text: '' });
  for (const value of ['Done', '', undefined, null, {}, '-1 x'])
    assert.equal(parseRetcode(value), undefined);
});

test('refusals are distinguished: bad values, a refused manager, a failing server', () => {
  const kinds: Record<string, number[]> = {
    invalid: [3, 4, 13, 1020, 3002, 3004, 3006, 3010, 6001, 10014, 10019],
    forbidden: [8],
    denied: [1000, 1001, 1002, 1006, 1011, 1012, 1022],
    unavailable: [2, 5, 6, 7, 9, 10, 11, 12, 14, 15, 16, 1018, 10024, 11000, 99_999],
  };
  for (const [kind, retcodes] of Object.entries(kinds))
    for (const retcode of retcodes)
      assert.equal(platformErrorOf(new RetcodeError(retcode, '')).code, kind, String(retcode));
});

test('trouble behind the access server leaves the outcome open, overload does not', () => {
  const isOpen = (retcode: number) => platformErrorOf(new RetcodeError(retcode, '')).outcomeUnknown;
  for (const retcode of [2, 7, 9, 10, 14, 15, 16])
    assert.equal(isOpen(retcode), true, `${retcode}`);
  for (const retcode of [3, 8, 12, 13, 1018, 3006, 10019, 10024])
    assert.equal(isOpen(retcode), false, `${retcode}`);
});

test('passing failures say when to retry', () => {
  for (const retcode of [12, 1018, 10])
    assert.ok((platformErrorOf(new RetcodeError(retcode, '')).retryAfterSeconds ?? 0) >= 1);
});
