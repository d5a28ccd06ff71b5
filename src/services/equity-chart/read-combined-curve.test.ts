import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { EngineWorld, type TestProcess } from '../../../test/engine/engine-world.ts';
import { needs } from '../../../test/needs.ts';
import { fc } from '../../../test/properties.ts';
import { newAccount } from '../../../test/storage-contract/fixture.ts';
import { brokerTimeAt, DAY_MS, HOUR_MS, MINUTE_MS } from '../../domain/broker-time.ts';
import { CommitBuilder } from '../../journal/commit-builder.ts';
import type { Account } from '../../storage/account-store.ts';
import type { Principal } from '../context.ts';
import { isoTime } from '../present-time.ts';
import { readCombinedCurve } from './read-combined-curve.ts';

needs('postgres');

const START_MS = Date.UTC(2026, 1, 27);
const DAYS = 3;
const NOW_MS = START_MS + DAYS * DAY_MS;
const RUNS = 30;
const UTC = { zone: 'UTC', shiftHours: 0 };

const desks = fc.record({
  /** Of each account: hours that its clock is ahead of UTC, minutes since the start in order. */
  accounts: fc.array(
    fc.record({
      shiftHours: fc.constantFrom(0, -5, 3),
      minutes: fc
        .uniqueArray(fc.integer({ min: 0, max: DAYS * 24 * 60 - 1 }), { maxLength: 12 })
        .map((minutes) => minutes.sort((a, b) => a - b)),
      /** After how many of them everything is stored, if ever. */
      storedAfter: fc.integer({ min: 0, max: 12 }),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  from: fc.integer({ min: -20, max: DAYS * 24 }),
  hours: fc.integer({ min: 0, max: 100 }),
});

for (const kind of ['sqlite', 'postgres'] as const) {
  describe(`combined curve on ${kind}`, () => {
    it('shows the last snapshot before the end of each hour, stored or not', async (t) => {
      const world = await EngineWorld.open(t, kind);
      const process = await world.start();
      const property = fc.asyncProperty(desks, async ({ accounts: drawn, from, hours }) => {
        const { userId } = await newAccount(world.database);
        const accounts: Account[] = [];
        for (const { shiftHours, minutes, storedAfter } of drawn) {
          const brokerClock = { zone: 'UTC', shiftHours };
          const account = await newAccount(world.database, { userId, brokerClock });
          accounts.push(account);
          for (const [place, minute] of minutes.entries()) {
            await send(process, account, minute);
            if (place === storedAfter) await process.store();
          }
        }
        const curve = await curveOf(process, accounts, from, hours);
        const expected = Array.from({ length: hours }, (_, n) => from + n)
          .filter((hour) => hour < DAYS * 24)
          .flatMap((hour) => {
            const last = drawn.flatMap(
              ({ minutes }) => minutes.findLast((minute) => minute < (hour + 1) * 60) ?? [],
            );
            const equity = last.reduce((all, minute) => all + minute, 0);
            const quiet = last.filter((minute) => minute < hour * 60).length;
            const startTime = isoTime(START_MS + hour * HOUR_MS);
            const item = { startTime, balance: equity * 2, equity, accounts: last.length, quiet };
            return last.length > 0 ? [item] : [];
          });
        assert.deepEqual(curve.hours, expected);
      });
      await fc.assert(property, { numRuns: RUNS, endOnFailure: true });
    });

    it('counts no reading before it was made, where a clock shows an hour twice', async (t) => {
      const world = await EngineWorld.open(t, kind);
      const process = await world.start();
      const brokerClock = { zone: 'Europe/Athens', shiftHours: 0 };
      const account = await newAccount(world.database, { brokerClock });
      // From 04:00 the clock went back to 03:00.
      const changeMs = Date.UTC(2025, 9, 26, 1);
      for (const [minute, equity] of [
        [-90, 1],
        [-30, 2],
        [30, 3],
        [90, 4],
      ] as const) {
        const timeMs = brokerTimeAt(changeMs + minute * MINUTE_MS, brokerClock);
        await sendAt(process, account, timeMs, equity);
      }
      const first = (changeMs - START_MS) / HOUR_MS - 2;
      const { hours } = await curveOf(process, [account], first, 4);
      assert.deepEqual(
        hours.map(({ equity, quiet }) => [equity, quiet]),
        [
          [1, 0],
          [1, 1],
          [3, 0],
          [4, 0],
        ],
      );
    });

    it('shows in the running hour what a clock that is hours ahead has told', async (t) => {
      const world = await EngineWorld.open(t, kind);
      const process = await world.start();
      const account = await newAccount(world.database, { brokerClock: UTC });
      const nowMs = NOW_MS + 20 * MINUTE_MS;
      for (const [hours, equity] of [
        [3, 1],
        [4, 2],
        [23, 3],
      ] as const) {
        await sendAt(process, account, NOW_MS + hours * HOUR_MS, equity);
        const curve = await curveOf(process, [account], DAYS * 24 - 1, 30, nowMs);
        const item = { startTime: isoTime(NOW_MS), balance: equity * 2, equity };
        assert.deepEqual(curve.hours, [{ ...item, accounts: 1, quiet: 0 }]);
      }
    });
  });
}

/** A snapshot of as much money as minutes have passed. */
function send(process: TestProcess, account: Account, minute: number): Promise<void> {
  const timeMs = START_MS + minute * MINUTE_MS + account.brokerClock.shiftHours * HOUR_MS;
  return sendAt(process, account, timeMs, minute);
}

async function sendAt(process: TestProcess, account: Account, timeMs: number, equity: number) {
  const { live } = process;
  const commit = new CommitBuilder(live.journal.partitions);
  const { builder, account: place } = commit.addAccount(account.number);
  builder.addRow(place, timeMs, equity * 20_000, equity * 10_000);
  await live.append(commit.build(NOW_MS));
  await process.settle();
}

function curveOf(
  { live }: TestProcess,
  accounts: Account[],
  from: number,
  hours: number,
  nowMs = NOW_MS,
) {
  const principal: Principal = {
    ...{ userId: accounts[0]?.userId, tokenId: 't', accountNumbers: undefined },
    scopes: new Set(['read']),
  };
  const startMs = START_MS + from * HOUR_MS;
  const parts = { ...live.context, now: () => nowMs, live: live.reader };
  return readCombinedCurve(parts, principal, {
    ...{ accountId: accounts.map(({ id }) => id), currency: 'USD' },
    ...{ startTime: isoTime(startMs), endTime: isoTime(startMs + hours * HOUR_MS) },
  });
}
