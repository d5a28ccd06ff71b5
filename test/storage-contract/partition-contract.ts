import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  deleteClaim,
  joinProcesses,
  type ProcessRow,
  showProcess,
} from '../../src/storage/claim-store.ts';
import type { Database } from '../../src/storage/database.ts';
import { advancePartition } from '../../src/storage/journal-store.ts';
import {
  checkOwner,
  fence,
  PartitionLost,
  readMembers,
  readPartitions,
} from '../../src/storage/partition-store.ts';
import { gate, hold, useDatabase } from './fixture.ts';
import { ownPartition } from './live-fixture.ts';

export function registerPartitionContract(kind: Database['kind']): void {
  describe('partition store', () => {
    const use = useDatabase(kind);
    const first = async () => (await readPartitions(use.database))[0];

    it('has as many partitions as the database was made with, in order', async () => {
      const partitions = await readPartitions(use.database);
      const count = kind === 'sqlite' ? 1 : 16;
      assert.deepEqual(
        partitions.map(({ partition }) => partition),
        Array.from({ length: count }, (_, index) => index),
      );
      assert.deepEqual(await first(), { partition: 0, position: 0, epoch: null, owner: null });
    });

    it('lets a former owner write nothing, neither move it on nor let it go', async () => {
      const former = await ownPartition(use.database, 'former');
      await checkOwner(use.database, 0, former.epoch);
      const owner = await ownPartition(use.database, 'owner');
      const fenced = use.database.transaction((tx) => fence(tx, 0, former.epoch));
      await assert.rejects(fenced, PartitionLost);
      await assert.rejects(checkOwner(use.database, 0, former.epoch), PartitionLost);
      await assert.rejects(advancePartition(use.database, 0, former.epoch, 9), PartitionLost);
      assert.equal(await deleteClaim(use.database, former.epoch), false);
      assert.deepEqual(await first(), { ...owner, owner: 'owner' });
      await advancePartition(use.database, 0, owner.epoch, 9);
      assert.equal(await deleteClaim(use.database, owner.epoch), true);
      assert.deepEqual(await first(), { ...owner, position: 9, epoch: null, owner: null });
    });

    it('keeps others from taking it while its owner writes', async () => {
      const owner = await ownPartition(use.database, 'owner');
      const fenced = gate();
      const done = gate();
      const writing = use.database.transaction(async (tx) => {
        await fence(tx, 0, owner.epoch);
        fenced.open();
        await hold(tx, done.opened);
        // Still its own.
        await fence(tx, 0, owner.epoch);
      });
      await fenced.opened;
      let isTaken = false;
      const taking = ownPartition(use.database, 'next').then(() => {
        isTaken = true;
      });
      assert.equal((await first())?.epoch, owner.epoch);
      assert.equal(isTaken, false);
      done.open();
      await writing;
      await taking;
      assert.equal((await first())?.owner, 'next');
    });

    it('knows the processes that fold in the order of their starts, and what they report', async () => {
      const report = { head: 9, partitions: [{ partition: 3, folded: 7, storedAtMs: 25 }] };
      const show = async (id: string, startedAtMs: number, fields: Partial<ProcessRow> = {}) => {
        const row: ProcessRow = {
          ...{ id, startedAtMs, beat: 1, shares: ['partition'], host: 'here', seenAtMs: 30 },
          ...{
            report: JSON.stringify(report),
            mark: null,
            schemaVersion: 9999,
            keyIds: [],
            ...fields,
          },
        };
        await use.database.transaction(async (tx) => {
          if ((await showProcess(tx, row)) === undefined) assert.ok(await joinProcesses(tx, row));
        });
      };
      await show('late', 20);
      await show('early', 10);
      await show('also early', 10);
      await show('of another kind', 10, { shares: ['profile'], report: null });
      await show('late', 20, { beat: 2, shares: [], seenAtMs: 40 });
      const members = await readMembers(use.database);
      assert.deepEqual(
        members.map(({ id, beat, isLeaving, seenAtMs }) => [id, beat, isLeaving, seenAtMs]),
        [
          ['also early', 1, false, 30],
          ['early', 1, false, 30],
          ['late', 2, true, 40],
        ],
      );
      assert.deepEqual(members[0]?.report, report);
    });
  });
}
