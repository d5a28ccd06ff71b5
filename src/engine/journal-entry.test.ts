import assert from 'node:assert/strict';
import { it } from 'node:test';
import { EntryAccount } from './entry-account.ts';
import { EntryBuilder } from './entry-builder.ts';
import { decodeEntry, encodeEntry, smallEntry, WITHOUT_SNAPSHOT } from './journal-entry.ts';

it('reads back snapshots, deals and accounts as they were written', () => {
  const builder = new EntryBuilder();
  const places = ['first', 'zweites Konto €', 'third'].map((id) =>
    builder.addAccount(new EntryAccount(id, 7)),
  );
  for (let row = 0; row < 3000; row += 1) {
    builder.addRow(places[row % 3] ?? 0, row * 1000.5, row - 1500, -row / 3);
  }
  builder.addDeal([1, 4, 'deal', 'DEAL_TYPE_BALANCE', 12, -500]);
  const entry = builder.build(1_700_000_000_123);
  const padded = new Uint8Array(encodeEntry(entry).length + 3);
  padded.set(encodeEntry(entry), 3);
  const read = decodeEntry(padded.subarray(3));
  assert.equal(read.rowCount, 3000);
  assert.equal(read.receivedUtcMs, entry.receivedUtcMs);
  assert.deepEqual(read.accounts, entry.accounts);
  assert.deepEqual(read.deals, entry.deals);
  for (const column of ['timeMs', 'balance', 'equity', 'account'] as const) {
    assert.deepEqual([...read[column]], [...entry[column].subarray(0, 3000)], column);
  }
});

it('reads back deals alone and commands, and refuses what it does not know', () => {
  const deals = [[0, WITHOUT_SNAPSHOT, 'a', 'DEAL_TYPE_BUY', 5, 6]] as const;
  const alone = smallEntry(9, new EntryAccount('one', 3), { deals });
  assert.deepEqual(decodeEntry(encodeEntry(alone)), alone);
  const removed = smallEntry(9, new EntryAccount('one', 3), {
    command: { kind: 'account-removed' },
  });
  assert.deepEqual(decodeEntry(encodeEntry(removed)), removed);
  const head = Buffer.from('{"v":2,"rows":0}');
  const strange = Buffer.concat([Buffer.from([head.length, 0, 0, 0]), head, Buffer.alloc(8)]);
  assert.throws(() => decodeEntry(strange), /version 2/);
});
