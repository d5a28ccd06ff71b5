import assert from 'node:assert/strict';
import { test } from 'node:test';
import { randomPassword } from './random-password.ts';

test('passwords have 8 to 16 characters of four classes and never repeat', () => {
  const passwords = Array.from({ length: 2000 }, randomPassword);
  for (const password of passwords) {
    assert.ok(password.length >= 8 && password.length <= 16);
    for (const kind of [/[a-z]/, /[A-Z]/, /[0-9]/, /[^A-Za-z0-9]/]) assert.match(password, kind);
  }
  assert.equal(new Set(passwords).size, passwords.length);
});

test('no class has a fixed place', () => {
  const firsts = new Set(
    Array.from({ length: 2000 }, () => randomPassword().replace(/[a-z]/, 'a')[0]),
  );
  assert.ok([...firsts].some((first) => /[A-Z]/.test(first ?? '')));
  assert.ok([...firsts].some((first) => /[0-9]/.test(first ?? '')));
  assert.ok([...firsts].some((first) => /[^A-Za-z0-9]/.test(first ?? '')));
});
