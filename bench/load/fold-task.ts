/**
 * A process that folds snapshots of so many accounts in memory, without a database: what a fold
 * costs, and what an account takes.
 */
import type { TrackerDefinition } from '../../src/domain/live/tracker-definition.ts';
import { EntryBuilder } from '../../src/journal/commit-builder.ts';
import type { JournalEntry } from '../../src/journal/entry.ts';
import { trackedAccount, trackersOf } from '../data/live.ts';
import { accountId, type BenchAccount } from '../data/user.ts';
import { FoldWorld } from './fold-world.ts';
import { sendLast } from './send-last.ts';

export type FoldSettings = { accounts: number; trackers: number; snapshots: number };
export type FoldAnswer = {
  nanosecondsEach: number;
  residentBytesEach: number;
  /** The part of them that objects and arrays of numbers take; the rest is room to work in. */
  liveBytesEach: number;
};

const { accounts, trackers, snapshots } = JSON.parse(process.argv[2] ?? '{}') as FoldSettings;
const ROWS = 1000;
const ENTRIES_PER_CHECKPOINT = 100;
const FIRST_MS = Date.UTC(2026, 10, 2, 10);
const STEP_MS = 10_000;

/** Memory once garbage is gone; measured a few times, as pages go back late. */
async function memory(): Promise<{ resident: number; live: number }> {
  for (let times = 0; times < 5; times += 1) {
    globalThis.gc?.();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const { rss, heapUsed, arrayBuffers } = process.memoryUsage();
  return { resident: rss, live: heapUsed + arrayBuffers };
}

/** As it comes from a database or from JSON: with strings of its own. */
const fresh = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

const world = new FoldWorld();
const before = await memory();
for (let number = 0; number < accounts; number += 1) {
  const facts: BenchAccount = fresh({ id: accountId(number), number });
  const definitions: TrackerDefinition[] = fresh(trackersOf(facts.id, trackers));
  world.admit(trackedAccount(facts, definitions, world.memory));
}

/**
 * Equities move between what the first two have shown, but for one in fifty, which is a new best:
 * so many new extremes a random walk has in a day of snapshots every ten seconds.
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
function nextEntry(): JournalEntry {
  const builder = new EntryBuilder();
  for (let row = 0; row < ROWS; row += 1) {
    const place = row < accounts ? builder.addAccount(next) : row % accounts;
    builder.addRow(place, timeMs, 1_000_000_000, equityOf(next, row));
    next += 1;
    if (next === accounts) {
      next = 0;
      timeMs += STEP_MS;
    }
  }
  return builder.build(timeMs);
}

/** All accounts have been seen a few times, so nothing is made anew while the time runs. */
async function fold(count: number): Promise<number> {
  let took = 0;
  for (let folded = 0; folded < count; folded += ROWS) {
    position += 1;
    const entry = nextEntry();
    const began = performance.now();
    world.apply(entry);
    took += performance.now() - began;
    if (position % ENTRIES_PER_CHECKPOINT === 0) await world.checkpoint();
  }
  return took;
}

await fold(Math.max(accounts * 3, snapshots / 4));
await world.checkpoint();
const after = await memory();
const residentBytesEach = (after.resident - before.resident) / accounts;
const liveBytesEach = (after.live - before.live) / accounts;
const took = await fold(snapshots);
const nanosecondsEach = (took * 1e6) / snapshots;
sendLast({ nanosecondsEach, residentBytesEach, liveBytesEach } satisfies FoldAnswer);
