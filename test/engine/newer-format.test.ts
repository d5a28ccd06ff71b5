import assert from 'node:assert/strict';
import { it } from 'node:test';
import { appendJournal } from '../../src/storage/journal-store.ts';
import { readPartitions } from '../../src/storage/partition-store.ts';
import { needs } from '../needs.ts';
import { until } from '../servers/until.ts';
import { EngineWorld } from './engine-world.ts';

needs('postgres');

/** The head of a commit of the next format, which has no entries. */
function newerCommit(): Uint8Array {
  const body = new Uint8Array(16);
  new DataView(body.buffer).setUint32(0, 2, true);
  return body;
}

it('leaves all partitions to newer processes, including those being taken', async (t) => {
  const world = await EngineWorld.open(t, 'postgres');
  await appendJournal(world.database, 1, newerCommit());
  const process = await world.open();
  // It joins the others first, which claims nothing.
  await process.live.claims.start();
  let claims = 0;
  // The first is answered at once, all others only when its commits have been read.
  process.network.faults.after = async ({ sql }) => {
    if (sql !== 'commit') return;
    claims += 1;
    if (claims === 1) return;
    await until(() => process.live.engine.outdated !== undefined, 'a newer commit');
  };
  await process.live.engine.start();
  assert.ok(claims > 1);
  assert.deepEqual(process.live.owned, []);
  const areFree = async (): Promise<boolean> =>
    (await readPartitions(world.database)).every(({ owner }) => owner === null);
  await until(areFree, 'partitions that others can take');
  await process.live.engine.stop();
});
