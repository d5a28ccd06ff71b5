import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { encodeLiveAccount } from '../domain/live/live-account-codec.ts';
import { TrackerRules } from '../domain/live/tracker-rule.ts';
import { EntryAccount } from './entry-account.ts';
import { EntryBuilder } from './entry-builder.ts';
import { type JournalEntry, smallEntry, WITHOUT_SNAPSHOT } from './journal-entry.ts';
import { LiveCell } from './live-cell.ts';
import { ClockViews } from './load-cells.ts';
import { PartitionState } from './partition-state.ts';

const UTC = { zone: 'UTC', shiftHours: 0 };
const FIRST_MS = Date.UTC(2026, 10, 20, 10);
const NAMES = ['one', 'two', 'three'].map(
  (id, number) => new EntryAccount({ number, id, createdAtMs: 1 }),
);
const [ONE] = NAMES as [EntryAccount];
const tracker = { id: 'tracker', name: 'tracker', period: 'date' } as const;

function usedState(): PartitionState {
  const clocks = new ClockViews();
  const state = new PartitionState(0, 0, new TrackerRules(), clocks);
  for (const { id } of NAMES) {
    const facts = { createdAtMs: 1, brokerClock: UTC, moneyDigits: 4 };
    const { rows, recent } = state;
    state.cells.set(id, new LiveCell(id, facts, { clocks, rows, recent }));
  }
  for (let index = 0; index < 12; index += 1) fold(state, snapshots(index));
  fold(
    state,
    smallEntry(FIRST_MS, ONE, { command: { kind: 'tracker-added', definition: tracker } }),
  );
  fold(state, snapshots(12));
  return state;
}

function snapshots(index: number): JournalEntry {
  const builder = new EntryBuilder();
  for (const name of NAMES) {
    builder.addRow(builder.addAccount(name), FIRST_MS + index * 1000, 1000, 1000 + index * 7);
  }
  return builder.build(FIRST_MS + index * 1000);
}

const fold = (state: PartitionState, entry: JournalEntry): void => {
  state.fold(entry, state.cellsOf(entry), state.position + 1);
};

const bytesOf = (state: PartitionState) =>
  [...state.cells.values()].map((cell) => ({
    accountId: cell.id,
    clock: cell.brokerClock,
    state: encodeLiveAccount(cell),
    recent: state.recent.encode(cell),
  }));

const changes: Record<string, JournalEntry> = {
  'a snapshot': snapshots(13),
  'a late snapshot': snapshots(3),
  'a deal': smallEntry(FIRST_MS, ONE, {
    deals: [[0, WITHOUT_SNAPSHOT, 'deal', 'DEAL_TYPE_BALANCE', FIRST_MS + 20_000, 500]],
  }),
  'another tracker': smallEntry(FIRST_MS, ONE, {
    command: { kind: 'tracker-added', definition: { ...tracker, id: 'other' } },
  }),
  'a tracker less': smallEntry(FIRST_MS, ONE, {
    command: { kind: 'tracker-removed', trackerId: 'tracker' },
  }),
  'another clock': smallEntry(FIRST_MS, ONE, {
    command: { kind: 'clock-changed', clock: { zone: 'Europe/Athens', shiftHours: 0 } },
  }),
  'its removal': smallEntry(FIRST_MS, ONE, { command: { kind: 'account-removed' } }),
};

describe('a captured account', () => {
  for (const [change, entry] of Object.entries(changes)) {
    it(`stays as it was captured after ${change}`, () => {
      const state = usedState();
      const expected = bytesOf(state);
      const { accounts } = state.capture();
      fold(state, entry);
      if (change === 'its removal') {
        // What takes the place of the removed one must not be seen in it.
        const slot = state.recent.takeSlot();
        state.recent.add({ slot, snapshotCount: 0 }, 1, 2, 3);
      }
      const read = () =>
        accounts.map(({ accountId, clock, state: bytes, recent }) => ({
          ...{ accountId, clock, state: bytes, recent },
        }));
      assert.deepEqual(read(), expected);
      // A checkpoint that failed is written again.
      assert.deepEqual(read(), expected);
    });
  }

  it('that changed keeps its bytes when the memory of those stored before is used again', () => {
    const state = usedState();
    const expected = bytesOf(state);
    const { accounts, written } = state.capture();
    const [changed, second, third] = accounts;
    assert.ok(changed && second && third && written);
    fold(state, changes['a deal'] as JournalEntry);
    assert.deepEqual(second.state, expected[1]?.state);
    written();
    assert.deepEqual([third.state, third.recent], [expected[2]?.state, expected[2]?.recent]);
    assert.deepEqual([second.state, second.recent], [expected[1]?.state, expected[1]?.recent]);
    assert.deepEqual([changed.state, changed.recent], [expected[0]?.state, expected[0]?.recent]);
  });

  it('is captured anew with what changed while the one before was written', () => {
    const state = usedState();
    const before = state.capture();
    fold(state, snapshots(13));
    for (const account of before.accounts) account.release();
    const expected = bytesOf(state);
    const { accounts } = state.capture();
    fold(state, snapshots(14));
    assert.deepEqual(
      accounts.map(({ state: bytes }) => bytes),
      expected.map(({ state: bytes }) => bytes),
    );
  });
});
