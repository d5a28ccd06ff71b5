import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Database } from '../../src/storage/database.ts';
import { advancePartition } from '../../src/storage/journal-store.ts';
import {
  beat,
  checkOwner,
  claimPartition,
  fence,
  PartitionLost,
  readBeats,
  readMembers,
  readPartitions,
  releasePartition,
  removeMember,
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
      assert.deepEqual(await first(), { partition: 0, position: 0, epoch: 0, owner: null });
    });

    it('gives a partition to one of those who claim it at once', async () => {
      const row = await first();
      assert.ok(row);
      const claims = await Promise.all(
        Array.from({ length: 8 }, (_, index) =>
          claimPartition(use.database, row, `engine-${index}`),
        ),
      );
      const won = claims.filter((claim) => claim !== undefined);
      assert.equal(won.length, 1);
      assert.deepEqual(won[0], await first());
      assert.equal(won[0]?.epoch, row.epoch + 1);
    });

    it('lets a former owner write nothing, neither move it on nor let it go', async () => {
      const former = await ownPartition(use.database, 'former');
      await checkOwner(use.database, 0, former.epoch);
      const owner = await ownPartition(use.database, 'owner');
      const fenced = use.database.transaction((tx) => fence(tx, 0, former.epoch));
      await assert.rejects(fenced, PartitionLost);
      await assert.rejects(checkOwner(use.database, 0, former.epoch), PartitionLost);
      await assert.rejects(advancePartition(use.database, 0, former.epoch, 9), PartitionLost);
      await releasePartition(use.database, 0, former.epoch);
      assert.deepEqual(await first(), owner);
      await advancePartition(use.database, 0, owner.epoch, 9);
      await releasePartition(use.database, 0, owner.epoch);
      assert.deepEqual(await first(), { ...owner, position: 9, owner: null });
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
      assert.deepEqual(await first(), owner);
      assert.equal(isTaken, false);
      done.open();
      await writing;
      await taking;
      assert.equal((await first())?.owner, 'next');
    });

    it('knows the processes that fold in the order of their starts, and their beats', async () => {
      const show = (id: string, startedAtMs: number, isLeaving: boolean) => {
        const partitions = [{ partition: 3, folded: 7, storedAtMs: 25 }];
        const mark = id === 'early' ? null : `process of ${id}`;
        const member = { id, host: 'here', startedAtMs, seenAtMs: 30, isLeaving, mark };
        return beat(use.database, { ...member, report: { head: 9, partitions } });
      };
      await show('late', 20, false);
      await show('early', 10, false);
      await show('also early', 10, false);
      await show('late', 20, true);
      await show('late', 20, true);
      assert.deepEqual(await readMembers(use.database), [
        { id: 'also early', beat: 1, isLeaving: false, mark: 'process of also early' },
        { id: 'early', beat: 1, isLeaving: false, mark: null },
        { id: 'late', beat: 3, isLeaving: true, mark: 'process of late' },
      ]);
      const [first] = await readBeats(use.database);
      assert.deepEqual(first, {
        ...{ id: 'also early', host: 'here', startedAtMs: 10, seenAtMs: 30, isLeaving: false },
        report: { head: 9, partitions: [{ partition: 3, folded: 7, storedAtMs: 25 }] },
      });
      await removeMember(use.database, 'early');
      assert.equal((await readMembers(use.database)).length, 2);
    });
  });
}
