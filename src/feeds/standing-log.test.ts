import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type LogItem, StandingLog } from './standing-log.ts';

function newLog(): StandingLog {
  let version = 0;
  return new StandingLog(() => ++version);
}
const all = (): boolean => true;
const textsOf = (items: readonly LogItem[]): string[] => items.map(({ text }) => text);

describe('a log of standings', () => {
  it('tells who reads seldom the newest of each thing, once', () => {
    const log = newLog();
    const start = log.version;
    for (let equity = 1; equity <= 10_000; equity += 1) {
      log.set(equity % 3, 'standing', '', `equity ${equity}`);
    }
    const told = log.after(start, all, 100);
    assert.deepEqual(textsOf(told.items), ['equity 9998', 'equity 9999', 'equity 10000']);
    assert.deepEqual(log.after(told.version, all, 100).items, []);
  });

  it('does not tell what is as it was', () => {
    const log = newLog();
    log.set(1, 'standing', '', 'a');
    const { version } = log;
    log.set(1, 'standing', '', 'a');
    assert.equal(log.version, version);
  });

  it('tells all that passes in parts, however small, and nothing twice', () => {
    const log = newLog();
    let version = log.version;
    for (let number = 0; number < 100; number += 1) log.set(number, 'chart', '', `${number}`);
    const heard: string[] = [];
    const even = ({ accountNumber }: LogItem): boolean => accountNumber % 2 === 0;
    for (let round = 0; round < 60; round += 1) {
      // What changes in between comes last.
      if (round === 3) log.set(98, 'chart', '', 'new');
      const told = log.after(version, even, 3);
      heard.push(...textsOf(told.items));
      version = told.version;
    }
    const expected = Array.from({ length: 49 }, (_, place) => `${place * 2}`);
    assert.deepEqual(heard, [...expected, 'new']);
  });

  it('keeps the incidents that changed last, and says if there were more', () => {
    const log = newLog();
    const start = log.version;
    for (let id = 1; id <= 5; id += 1) log.set(1, 'incident', `${id}`, `new ${id}`);
    log.set(1, 'incident', '1', 'handled 1');
    assert.equal(log.keepIncidents(1, 3), true);
    assert.equal(log.keepIncidents(1, 3), false);
    assert.deepEqual(textsOf(log.after(start, all, 9).items), ['new 4', 'new 5', 'handled 1']);
  });

  it('tells of a removed account that it is gone, and no more', () => {
    const log = newLog();
    const { version } = log;
    log.set(1, 'standing', '', 'here');
    log.remove(1);
    log.set(1, 'gone', '', 'gone');
    assert.deepEqual(textsOf(log.after(version, all, 9).items), ['gone']);
  });

  it('knows what it no longer knows', () => {
    const log = newLog();
    const { version } = log;
    assert.equal(log.isKnownSince(version), true);
    assert.equal(log.isKnownSince(version - 1), false);
    assert.equal(log.isKnownSince(version + 1), false);
    for (let number = 1; number <= 1001; number += 1) log.set(number, 'gone', '', `${number}`);
    assert.equal(log.isKnownSince(version), false, 'a deletion since is forgotten');
    assert.equal(log.isKnownSince(log.version), true);
  });
});
