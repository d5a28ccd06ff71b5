import assert from 'node:assert/strict';
import { it } from 'node:test';
import { RecentChanges } from './recent-changes.ts';

it('reports the changes after a version, and nothing else', () => {
  const changes = new RecentChanges();
  changes.add({ kind: 'account', key: '7' }, 5);
  assert.equal(changes.isChanged('account', 7, 4), true);
  assert.equal(changes.isChanged('account', 7, 5), false);
  assert.equal(changes.isChanged('account', 8, 4), false);
  assert.equal(changes.isChanged('tracker', 7, 4), false);
});

it('counts a deleted account as changed, but not the reverse', () => {
  const changes = new RecentChanges();
  changes.add({ kind: 'removed', key: '7' }, 5);
  assert.equal(changes.isChanged('account', 7, 4), true);
  assert.equal(changes.isChanged('removed', 7, 4), true);
  changes.add({ kind: 'account', key: '8' }, 6);
  assert.equal(changes.isChanged('removed', 8, 4), false);
});

it('counts everything forgotten as changed', () => {
  const changes = new RecentChanges(2);
  for (const version of [1, 2, 3]) changes.add({ kind: 'token', key: `${version}` }, version);
  assert.equal(changes.isChanged('token', 'other', 0), true);
  assert.equal(changes.isChanged('token', 'other', 1), false);
  assert.equal(changes.isChanged('token', '2', 1), true);
  changes.forgetUpTo(9);
  assert.equal(changes.isChanged('token', 'other', 8), true);
  assert.equal(changes.isChanged('token', 'other', 9), false);
});

it('keeps the newest change of a row that is changed again', () => {
  const changes = new RecentChanges(2);
  changes.add({ kind: 'token', key: 'a' }, 1);
  changes.add({ kind: 'token', key: 'b' }, 2);
  changes.add({ kind: 'token', key: 'a' }, 3);
  changes.add({ kind: 'token', key: 'c' }, 4);
  assert.equal(changes.isChanged('token', 'a', 2), true);
});
