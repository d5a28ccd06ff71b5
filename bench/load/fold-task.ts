/**
 * A process that folds snapshots of so many accounts in memory, without a database: what a fold
 * costs, and what an account takes.
 */

import { addTracker } from '../../src/domain/live/tracker-changes.ts';
import type { TrackerDefinition } from '../../src/domain/live/tracker-definition.ts';
import { TrackerRules } from '../../src/domain/live/tracker-rule.ts';
import { EntryAccount } from '../../src/engine/entry-account.ts';
import { EntryBuilder } from '../../src/engine/entry-builder.ts';
import { LiveCell } from '../../src/engine/live-cell.ts';
import { ClockViews } from '../../src/engine/load-cells.ts';
import { PartitionState } from '../../src/engine/partition-state.ts';
import { trackersOf } from '../data/live.ts';
import { accountId } from '../data/user.ts';

export type FoldSettings = { accounts: number; trackers: number; snapshots: number };
export type FoldAnswer = {
  nanosecondsEach: number;
  residentBytesEach: number;
  /** The part of them that objects and arrays of numbers take; the rest is room to work in. */
  liveBytesEach: number;
};

const { accounts, trackers, snapshots } = JSON.parse(process.argv[2] ?? '{}') as FoldSettings;
const ROWS = 1000;
const ACCOUNTS_STORED_AT_A_TIME = 500;
const FIRST_MS = Date.UTC(2026, 10, 2, 10);
const STEP_MS = 10_000;
const CLOCK = { zone: 'UTC', shiftHours: 0 };

/** Memory once garbage is gone; measured a few times, as pages go back late. */
async function memory(): Promise<{ resident: number; live: number }> {
  for (let times = 0; times < 5; times += 1) {
    globalThis.gc?.();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const { rss, heapUsed, arrayBuffers } = process.memoryUsage();
  return { resident: rss, live: heapUsed + arrayBuffers };
}

const rules = new TrackerRules();
const clocks = new ClockViews();
const state = new PartitionState(0, 0, rules, clocks);
// Whoever brings snapshots keeps these, not the engine.
const named = Array.from(
  { length: accounts },
  (_, index) => new EntryAccount({ number: index, id: accountId(index), createdAtMs: 1 }),
);
const before = await memory();
for (let index = 0; index < accounts; index += 1) {
  // As they come: the account's id as the directory knows it, those of trackers read from JSON.
  const { id } = named[index] as EntryAccount;
  const facts = { createdAtMs: 1, brokerClock: clocks.sharedClock(CLOCK), moneyDigits: 4 };
  const cell = new LiveCell(id, facts, { clocks, rows: state.rows, recent: state.recent });
  const definitions = JSON.parse(JSON.stringify(trackersOf(id, trackers))) as TrackerDefinition[];
  for (const definition of definitions) addTracker(cell, definition, rules);
  state.cells.set(id, cell);
}

/**
 * Equities move between what the first two have shown, but for one in fifty, which is a new best: so
 * many new extremes a random walk has in a day of snapshots every ten seconds.
 */
function equityOf(account: number, row: number): number {
  const round = (timeMs - FIRST_MS) / STEP_MS;
  if (round === 0) return 999_999_999;
  if (round === 1) return 1_000_010_000;
  if ((round + account) % 50 === 0) return 1_000_010_000 + round;
  return 1_000_000_000 + ((row * 7919 + position) % 9973);
}

let position = 0;
let timeMs = FIRST_MS;
let next = 0;
function entry() {
  const builder = new EntryBuilder();
  for (let row = 0; row < ROWS; row += 1) {
    const place = row < accounts ? builder.addAccount(named[next] as EntryAccount) : row % accounts;
    builder.addRow(place, timeMs, 1_000_000_000, equityOf(next, row));
    next += 1;
    if (next === accounts) {
      next = 0;
      timeMs += STEP_MS;
    }
  }
  return builder.build(timeMs);
}

/** As when it is written to a database: all bytes are made, and given up a few at a time. */
function checkpoint(): void {
  const { accounts: captured, written } = state.capture();
  captured.forEach((account, index) => {
    if (account.state.length + account.recent.length === 0) throw new Error('nothing to store');
    if (index % ACCOUNTS_STORED_AT_A_TIME === 0) written?.();
  });
  for (const account of captured) account.release();
}

/** All accounts have been seen a few times, so nothing is made anew while the time runs. */
function fold(count: number): number {
  let took = 0;
  for (let folded = 0; folded < count; folded += ROWS) {
    position += 1;
    const one = entry();
    const began = performance.now();
    state.fold(one, state.cellsOf(one), position);
    took += performance.now() - began;
    if (position % 100 === 0) checkpoint();
  }
  return took;
}

fold(Math.max(accounts * 3, snapshots / 4));
checkpoint();
const after = await memory();
const residentBytesEach = (after.resident - before.resident) / accounts;
const liveBytesEach = (after.live - before.live) / accounts;
const took = fold(snapshots);
const nanosecondsEach = (took * 1e6) / snapshots;
process.send?.({ nanosecondsEach, residentBytesEach, liveBytesEach } satisfies FoldAnswer);
process.disconnect?.();
