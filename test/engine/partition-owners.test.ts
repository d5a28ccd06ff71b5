import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { HOUR_MS } from '../../src/domain/broker-time.ts';
import { partitionOf } from '../../src/journal/entry.ts';
import { listProcesses } from '../../src/storage/claim-store.ts';
import { DatabaseUnavailable } from '../../src/storage/database.ts';
import { readLiveAccounts } from '../../src/storage/live-store.ts';
import { readPartitions } from '../../src/storage/partition-store.ts';
import { needs } from '../needs.ts';
import { until, untilPassed } from '../servers/until.ts';
import { newAccount } from '../storage-contract/fixture.ts';
import { BEAT_MS, CHECKPOINT_MS, EngineWorld, STEP_MS, type TestProcess } from './engine-world.ts';

needs('postgres');

const START_MS = Date.UTC(2026, 2, 1, 10);
const PROCESSES = 4;
/** The statement of a beat. */
const BEAT = /update process set beat/;

const ownedBy = ({ live }: TestProcess): number => live.owned.length;

describe('owners of partitions on postgres', () => {
  it('lets a standby take over from a silent owner, which can then write no more', async (t) => {
    const world = await EngineWorld.open(t, 'postgres');
    const account = await newAccount(world.database);
    const { userId, number } = account;
    const send = ({ live }: TestProcess, hour: number, equity: number) =>
      live.send(userId, [{ account, timeMs: START_MS + hour * HOUR_MS, balance: 10_000, equity }]);
    const stored = async () => ({
      partitions: await readPartitions(world.database),
      states: await readLiveAccounts(world.database, [number]),
    });
    // Its time stands still and nothing wakes it, so it shows no beat.
    const silent = await world.open();
    silent.network.faults = { isDeaf: () => true };
    await silent.live.engine.start();
    const all = silent.live.journal.partitions;
    assert.equal(ownedBy(silent), all);
    await send(silent, 0, 9_999);
    await silent.settle();
    const standby = await world.start();
    assert.equal(ownedBy(standby), 0, 'a beat that was just seen is not a silent one');
    const isTaken = () => ownedBy(standby) === all;
    await standby.untilPassed(isTaken, 'the takeover');
    await send(silent, 1, 9_998);
    await standby.store();
    const before = await stored();
    await send(silent, 2, 9_997);
    await silent.time.pass(CHECKPOINT_MS);
    const own = partitionOf(number, all);
    await until(() => !silent.live.owned.includes(own), 'the loss of the partition');
    await silent.live.engine.stop();
    assert.equal(ownedBy(silent), 0);
    assert.deepEqual(await stored(), before);
    await standby.live.engine.stop();
    const last = await world.start();
    assert.equal(ownedBy(last), all, 'what was let go of is taken at once');
    const equity = await last.live.read(account, (view) => view.equity);
    assert.equal(equity, 9_997_0000, 'the journal kept what the silent one took in');
  });

  it('takes over at its first check from an ended process of its machine, but not from a paused one', async (t) => {
    const world = await EngineWorld.open(t, 'postgres');
    const ended = new Set<string>();
    const hasEnded = (mark: string): boolean => ended.has(mark);
    const open = (own: string) => world.open({ localProcesses: { own, hasEnded } });
    const first = await open('first');
    await first.live.engine.start();
    const all = first.live.journal.partitions;
    assert.equal(ownedBy(first), all);
    const next = await open('next');
    first.network.faults = { isDeaf: () => true };
    await next.live.engine.start();
    assert.equal(ownedBy(next), 0, 'it is there, though nothing is heard of it');
    await next.live.engine.stop();
    await next.live.claims.stop();
    await first.kill();
    ended.add('first');
    const last = await open('last');
    await last.live.engine.start();
    assert.equal(ownedBy(last), all);
    const members = await listProcesses(world.database);
    assert.deepEqual(
      members.map(({ id }) => id),
      [last.live.claims.id],
      'those who could not see that know it as well',
    );
  });

  it('shows a beat again one beat after one that failed', async (t) => {
    const world = await EngineWorld.open(t, 'postgres');
    const process = await world.start();
    let beats = 0;
    process.network.faults = {
      before: ({ sql }) => {
        if (!BEAT.test(sql)) return;
        beats += 1;
        if (beats === 2) throw new DatabaseUnavailable('away for a moment');
      },
    };
    await process.untilPassed(() => beats === 2, 'the beat that fails');
    // Never more than is promised: time that passes while a look lasts would hide a second pause.
    await process.time.pass(BEAT_MS);
    await until(() => beats === 3, 'the next beat');
  });

  it('gives each of many processes that start at once its share, and no two the same', async (t) => {
    const world = await EngineWorld.open(t, 'postgres');
    const processes: TestProcess[] = [];
    for (let index = 0; index < PROCESSES; index += 1) processes.push(await world.open());
    await Promise.all(processes.map(({ live }) => live.engine.start()));
    const pass = () => Promise.all(processes.map(({ time }) => time.pass(STEP_MS)));
    await untilPassed(
      pass,
      async () => {
        const rows = await readPartitions(world.database);
        return processes.every(({ live }) => {
          const own = rows.filter(({ owner }) => owner === live.engine.ownerId);
          const isKnown = own.every(({ partition }) => live.owned.includes(partition));
          return (
            isKnown && [own, live.owned].every(({ length }) => length === rows.length / PROCESSES)
          );
        });
      },
      'an equal share of each',
    );
  });
});
