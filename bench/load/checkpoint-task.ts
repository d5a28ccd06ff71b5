/**
 * A process with an engine that has all accounts of a database in memory. Each round brings every
 * account a snapshot of the next hour, and the checkpoints that follow are watched: nothing else
 * runs meanwhile. Sends the longest time that they kept the event loop from everything else.
 */

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Registry } from 'prom-client';
import { openDatabase } from '../../src/app/open-database.ts';
import { readSettings } from '../../src/app/settings.ts';
import { systemTime } from '../../src/app/system-time.ts';
import { ClockViews } from '../../src/domain/live/clock-views.ts';
import { TrackerRules } from '../../src/domain/live/tracker-rule.ts';
import { Engine } from '../../src/engine/engine.ts';
import { createEngineMetrics } from '../../src/engine/engine-metrics.ts';
import { CommitBuilder } from '../../src/journal/commit-builder.ts';
import { SqlJournal } from '../../src/journal/sql-journal.ts';
import { testClaims } from '../../test/servers/test-claims.ts';
import { silent } from '../../test/servers/test-context.ts';
import { type Held, LoopWatch } from './loop-watch.ts';
import { sendLast } from './send-last.ts';

export type CheckpointSettings = {
  environment: Record<string, string>;
  /** Numbers of accounts from the first to the last. */
  first: number;
  last: number;
  rounds: number;
};
/** Of each round: the longest hold, and how long all took together. */
export type CheckpointAnswer = (Held & { tookMs: number })[];

const ROWS_PER_COMMIT = 1000;
const HOUR_MS = 3_600_000;
const LOOK_AGAIN_MS = 20;

const settings = JSON.parse(process.argv[2] ?? '{}') as CheckpointSettings;
const { environment, first, last, rounds } = settings;
const { database } = await openDatabase(readSettings(environment).settings);
const journal = await SqlJournal.open(database, systemTime, randomUUID());
const claims = testClaims(database, { time: systemTime });
const engine = new Engine({
  rules: new TrackerRules(new ClockViews()),
  ...{ database, claims, journal, time: systemTime, logger: silent },
  metrics: createEngineMetrics(new Registry()),
});
await engine.start();

/** A snapshot of each account, folded when it resolves. */
async function snapshots(timeMs: number): Promise<void> {
  for (let start = first; start <= last; start += ROWS_PER_COMMIT) {
    const builder = new CommitBuilder(journal.partitions);
    for (let number = start; number <= Math.min(last, start + ROWS_PER_COMMIT - 1); number += 1) {
      const place = builder.addAccount(number);
      place.builder.addRow(place.account, timeMs, 1_000_000_000, 1_000_000_000 + (number % 997));
    }
    await journal.append(builder.build(Date.now()));
  }
  await engine.settle();
}

async function stored(): Promise<void> {
  while (engine.partitions.some(({ position, storedPosition }) => storedPosition < position)) {
    await sleep(LOOK_AGAIN_MS);
  }
}

let timeMs = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - (rounds + 1) * HOUR_MS;
await snapshots(timeMs);
await stored();
const answer: CheckpointAnswer = [];
for (let round = 0; round < rounds; round += 1) {
  timeMs += HOUR_MS;
  await snapshots(timeMs);
  const began = performance.now();
  const watch = new LoopWatch();
  await stored();
  answer.push({ ...watch.stop(), tookMs: performance.now() - began });
}
await engine.stop();
await claims.stop();
await database.close();
sendLast(answer);
