import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { until } from '../servers/until.ts';
import { newAccount } from '../storage-contract/fixture.ts';
import { appendHours } from './append-hours.ts';
import { EngineWorld } from './engine-world.ts';

const ROWS = 6000;
/** Each closes 6000 hours. The pass begins after the second, and 100 000 may wait. */
const ENTRIES = 20;
const FOLDED_MEANWHILE = 17;

it('continues folding while a pass stores many hours, up to the bound', async (t) => {
  const world = await EngineWorld.open(t, 'sqlite');
  const account = await newAccount(world.database);
  const { live, network } = await world.open();
  await appendHours(live, account, ENTRIES, ROWS);
  const head = await live.journal.head();
  const store = Promise.withResolvers<void>();
  network.faults.before = async ({ sql }) => {
    if (sql.startsWith('insert into equity_bucket')) await store.promise;
  };
  const folded = (): number => live.engine.ownerOf(account.number)?.backlog.position ?? 0;
  await live.engine.start();
  try {
    await until(() => folded() >= head - ENTRIES + FOLDED_MEANWHILE, 'folding beside the pass');
    // An entry takes a turn or two: by now all would be folded.
    for (let turn = 0; turn < 10 * ENTRIES; turn += 1) await nextTurn();
    assert.ok(folded() < head, 'folding has waited for the pass');
  } finally {
    store.resolve();
  }
  await live.engine.settle();
  assert.equal(folded(), head);
});
