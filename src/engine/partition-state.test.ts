import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { encodeLiveAccount } from '../domain/live/live-account-codec.ts';
import { TrackerRules } from '../domain/live/tracker-rule.ts';
import { EntryAccount } from './entry-account.ts';
import { EntryBuilder } from './entry-builder.ts';
import { type Command, type JournalEntry, smallEntry } from './journal-entry.ts';
import { LiveCell } from './live-cell.ts';
import { ClockViews } from './load-cells.ts';
import { PartitionState } from './partition-state.ts';

const UTC = { zone: 'UTC', shiftHours: 0 };
const FIRST_MS = Date.UTC(2026, 10, 20, 10);
const tracker = { id: 'tracker', name: 'tracker', period: 'date' } as const;

class Desk {
  readonly clocks = new ClockViews();
  readonly state = new PartitionState(0, 0, new TrackerRules(), this.clocks);

  open(id: string): EntryAccount {
    const facts = { createdAtMs: 1, brokerClock: UTC, moneyDigits: 4 };
    const { rows, recent } = this.state;
    this.state.cells.set(id, new LiveCell(id, facts, { clocks: this.clocks, rows, recent }));
    return new EntryAccount({ number: this.state.cells.size, id, createdAtMs: 1 });
  }

  tell(account: EntryAccount, command: Command): void {
    this.#fold(smallEntry(FIRST_MS, account, { command }));
  }

  send(account: EntryAccount, equities: readonly number[]): void {
    const builder = new EntryBuilder();
    const place = builder.addAccount(account);
    equities.forEach((equity, index) => {
      builder.addRow(place, FIRST_MS + index * 1000, 1000, equity);
    });
    this.#fold(builder.build(FIRST_MS));
  }

  bytesOf(id: string): Uint8Array[] {
    const cell = this.state.cells.get(id);
    if (!cell) throw new Error(`${id} is not there`);
    return [encodeLiveAccount(cell), this.state.recent.encode(cell)];
  }

  #fold(entry: JournalEntry): void {
    this.state.fold(entry, this.state.cellsOf(entry), this.state.position + 1);
  }
}

/** An account with a tracker, after some snapshots. */
function use(desk: Desk, id: string, equities: readonly number[]): EntryAccount {
  const account = desk.open(id);
  desk.tell(account, { kind: 'tracker-added', definition: tracker });
  desk.send(account, equities);
  return account;
}

it('takes the memory of accounts and trackers that are gone for others, and nothing of them', async () => {
  const desk = new Desk();
  const neighbour = use(desk, 'neighbour', [1000, 1100, 950]);
  const gone = use(desk, 'gone', [500, 400, 9000, 1]);
  desk.tell(gone, { kind: 'account-removed' });
  desk.tell(neighbour, { kind: 'tracker-removed', trackerId: tracker.id });
  await setImmediate();
  desk.send(use(desk, 'next', [1000, 1001]), [1002]);
  desk.tell(neighbour, { kind: 'tracker-added', definition: tracker });

  const fresh = new Desk();
  const alone = use(fresh, 'neighbour', [1000, 1100, 950]);
  fresh.tell(alone, { kind: 'tracker-removed', trackerId: tracker.id });
  fresh.tell(alone, { kind: 'tracker-added', definition: tracker });
  fresh.send(use(fresh, 'next', [1000, 1001]), [1002]);
  for (const id of ['next', 'neighbour']) assert.deepEqual(desk.bytesOf(id), fresh.bytesOf(id), id);
});
