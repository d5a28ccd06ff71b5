import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fc } from '../../test/properties.ts';
import { CommitBuilder, EntryBuilder } from './commit-builder.ts';
import { type Commit, type EntryDeal, partOfCommit, WITHOUT_SNAPSHOT } from './entry.ts';
import { encodeWithin } from './split-commit.ts';

const PARTITIONS = 4;

type Row = { account: number; timeMs: number; deals: number };

/** Rows of accounts with deals of their own, in the order in which they came. */
function commitOf(rows: readonly Row[]): Commit {
  const builder = new CommitBuilder(PARTITIONS);
  const places = new Map<number, ReturnType<CommitBuilder['addAccount']>>();
  rows.forEach(({ account, timeMs, deals }, index) => {
    const place = places.get(account) ?? builder.addAccount(account);
    places.set(account, place);
    const row = place.builder.addRow(place.account, timeMs, index, index * 2);
    for (let n = 0; n < deals; n += 1) {
      const id = `${index}-${n}`;
      place.builder.addDeal([place.account, row, id, 'DEAL_TYPE_BALANCE', timeMs, n]);
    }
  });
  return builder.build(7);
}

/** An account's data, in order: its snapshots, each with its deals. */
function courseOf(commits: readonly Commit[], account: number): unknown[] {
  return commits.flatMap(({ entries }) => {
    const entry = entries.get(account % PARTITIONS);
    const part = entry && partOfCommit(entry, account);
    if (!part) return [];
    const lone = part.deals.filter(([, row]) => row === WITHOUT_SNAPSHOT).map(([, , id]) => id);
    const rows = Array.from(part.timeMs.subarray(0, part.rowCount), (timeMs, row) => ({
      timeMs,
      balance: part.balance[row],
      equity: part.equity[row],
      deals: part.deals.filter(([, of]) => of === row).map(([, , id]) => id),
    }));
    return [...lone, ...rows];
  });
}

const row = fc.record({
  account: fc.integer({ min: 1, max: 9 }),
  timeMs: fc.integer({ min: 0, max: 2 ** 45 }),
  deals: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 3 })),
});

describe('encodeWithin', () => {
  it("gives parts that fit, with each account's data in the same order", () => {
    fc.assert(
      fc.property(
        fc.array(row, { maxLength: 60 }),
        fc.integer({ min: 400, max: 3000 }),
        (rows, most) => {
          const commit = commitOf(rows);
          const parts = encodeWithin(commit, most);
          for (const { body, commit: part } of parts) {
            assert.ok(body.byteLength <= most, `${body.byteLength} bytes`);
            assert.equal(part.receivedUtcMs, 7);
          }
          const split = parts.map((part) => part.commit);
          for (const { account } of rows) {
            assert.deepEqual(courseOf(split, account), courseOf([commit], account));
          }
        },
      ),
    );
  });

  it('leaves a commit that fits unchanged', () => {
    const commit = commitOf([{ account: 1, timeMs: 5, deals: 2 }]);
    const [only, ...others] = encodeWithin(commit, 1000);
    assert.equal(only?.commit, commit);
    assert.deepEqual(others, []);
  });

  it('splits deals that came alone, and keeps them before the snapshots', () => {
    const entry = new EntryBuilder();
    const place = entry.addAccount(4);
    const ids = Array.from({ length: 20 }, (_, n) => `deal-${n}`);
    const deal = (id: string, at: number): EntryDeal => [place, at, id, 'DEAL_TYPE_BUY', 1, 1];
    for (const id of ids) entry.addDeal(deal(id, WITHOUT_SNAPSHOT));
    entry.addDeal(deal('with', entry.addRow(place, 9, 1, 1)));
    const commit = { receivedUtcMs: 1, entries: new Map([[0, entry.build(1)]]) };
    const parts = encodeWithin(commit, 500).map((part) => part.commit);
    assert.ok(parts.length > 2);
    assert.deepEqual(courseOf(parts, 4), [
      ...ids,
      { timeMs: 9, balance: 1, equity: 1, deals: ['with'] },
    ]);
  });

  it('refuses a snapshot larger than a part', () => {
    const commit = commitOf([{ account: 1, timeMs: 5, deals: 30 }]);
    assert.throws(() => encodeWithin(commit, 500), RangeError);
  });
});
