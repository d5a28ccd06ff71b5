import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fc } from '../../test/properties.ts';
import { EntryBuilder } from './commit-builder.ts';
import {
  commitOf,
  type JournalEntry,
  liveDealOf,
  partOfCommit,
  WITHOUT_SNAPSHOT,
} from './entry.ts';

/** The content of an entry for an account, row by row. */
function rowsOf(entry: JournalEntry | undefined, accountNumber: number) {
  const place = entry?.accounts.indexOf(accountNumber) ?? -1;
  if (!entry || place < 0) return undefined;
  const dealsOf = (wanted: number) =>
    entry.deals.filter(([account, row]) => account === place && row === wanted).map(liveDealOf);
  const rows = [{ deals: dealsOf(WITHOUT_SNAPSHOT) }] as object[];
  for (let row = 0; row < entry.rowCount; row += 1) {
    if (entry.account[row] !== place) continue;
    const { timeMs, balance, equity } = entry;
    rows.push({
      ...{ timeMs: timeMs[row], balance: balance[row], equity: equity[row] },
      deals: dealsOf(row),
    });
  }
  return rows;
}

const NUMBERS = [5, 21, 37, 53];
const row = fc.record({ account: fc.nat(3), timeMs: fc.nat(), equity: fc.nat(), deals: fc.nat(2) });

/** An entry of four accounts: deals without a snapshot first, then rows with deals of their own. */
const entries = fc
  .tuple(fc.array(fc.nat(3), { maxLength: 4 }), fc.array(row, { maxLength: 20 }))
  .map(([lone, rows]): JournalEntry => {
    const builder = new EntryBuilder();
    for (const number of NUMBERS) builder.addAccount(number);
    let id = 0;
    const nextId = () => String(++id);
    for (const account of lone) {
      builder.addDeal([account, WITHOUT_SNAPSHOT, nextId(), 'DEAL_TYPE_BALANCE', 1, id]);
    }
    for (const { account, timeMs, equity, deals } of rows) {
      const at = builder.addRow(account, timeMs, 7, equity);
      for (let n = 0; n < deals; n += 1) {
        builder.addDeal([account, at, nextId(), 'DEAL_TYPE_CREDIT', 2, id]);
      }
    }
    return builder.build(99);
  });

describe("an account's part of an entry", () => {
  it('has all its data, in order, and none of others', () => {
    fc.assert(
      fc.property(entries, fc.constantFrom(...NUMBERS), (entry, number) => {
        const part = partOfCommit(entry, number);
        assert.deepEqual([...(part?.accounts ?? [])], [number]);
        assert.deepEqual(rowsOf(part, number), rowsOf(entry, number));
        assert.equal(part?.receivedUtcMs, 99);
        assert.equal(part?.rowCount, (rowsOf(entry, number)?.length ?? 0) - 1);
        const places = part?.deals.map(([place]) => place) ?? [];
        assert.ok(places.every((place) => place === 0));
      }),
    );
  });

  it('is none for an account that the entry does not name', () => {
    fc.assert(fc.property(entries, (entry) => assert.equal(partOfCommit(entry, 6), undefined)));
  });

  it("has the entry's command if it is for this account", () => {
    const command = { kind: 'account-removed' } as const;
    const [entry] = commitOf(1, 5, 16, command).entries.values();
    assert.ok(entry);
    assert.deepEqual(partOfCommit(entry, 5)?.command, command);
    const both = { ...entry, accounts: Uint32Array.of(5, 21) };
    assert.equal(partOfCommit(both, 21)?.command, undefined);
  });
});
