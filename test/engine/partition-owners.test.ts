import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Registry } from 'prom-client';
import { Engine } from '../../src/engine/engine.ts';
import { createEngineMetrics } from '../../src/engine/engine-metrics.ts';
import { AccountDirectory } from '../../src/services/snapshots/account-directory.ts';
import { SnapshotWriter } from '../../src/services/snapshots/snapshot-writer.ts';
import type { Database } from '../../src/storage/database.ts';
import { openPostgres } from '../../src/storage/drivers/postgres.ts';
import { readLiveAccounts } from '../../src/storage/live-store.ts';
import { readPartitions } from '../../src/storage/partition-store.ts';
import { openTestDatabase } from '../servers/test-databases.ts';
import { simulatedAccounts } from '../simulation/simulated-accounts.ts';
import { storeSimulatedAccounts, USER_ID } from './live-fixture.ts';

const NEVER_MS = 1_000_000;
const quiet = { info() {}, warn() {}, error() {} };

const engineOn = (database: Database, ownerId: string, beatMs: number, patienceMs: number) =>
  new Engine({
    database,
    now: Date.now,
    ownerId,
    metrics: createEngineMetrics(new Registry()),
    logger: quiet,
    checkpointMs: NEVER_MS,
    beatMs,
    patienceMs,
  });

const writerOn = (database: Database, engine: Engine | undefined) =>
  new SnapshotWriter({
    database,
    now: Date.now,
    directory: new AccountDirectory(database),
    engine,
  });

const columns = (accountId: string, timeMs: number, equity: number) => ({
  accounts: [{ id: accountId }],
  account: Uint32Array.of(0),
  timeMs: Float64Array.of(timeMs),
  balance: Float64Array.of(10_000),
  equity: Float64Array.of(equity),
  deals: [],
});
const REACH = { userId: USER_ID, accountIds: undefined };

describe('owners of partitions on postgres', () => {
  it('lets a standby take over from a silent owner, which can then write nothing', async () => {
    const stored = await openTestDatabase('postgres');
    const other = openPostgres(stored.environment.DATABASE_URL ?? '');
    const accounts = simulatedAccounts(7, 6, 1, Date.UTC(2026, 2, 1));
    await storeSimulatedAccounts(stored.database, accounts);
    const [first] = accounts;
    const id = first?.id ?? '';
    const silent = engineOn(stored.database, 'silent', NEVER_MS, NEVER_MS);
    await silent.start();
    assert.equal(silent.ownedPartitions, 8);
    const writer = writerOn(stored.database, silent);
    await writer.write(columns(id, Date.UTC(2026, 2, 2, 10), 9_999), REACH, 1);
    const standby = engineOn(other, 'standby', 20, 100);
    await standby.start();
    assert.equal(standby.ownedPartitions, 0, 'a beat that was just seen is not a silent one');
    while (standby.ownedPartitions < 8) await new Promise((resolve) => setTimeout(resolve, 20));
    await writer.write(columns(id, Date.UTC(2026, 2, 2, 11), 9_998), REACH, 1);
    await standby.settle();
    await standby.stop();
    const positions = await readPartitions(other, 8);
    const [state] = await readLiveAccounts(other, [id]);
    await writer.write(columns(id, Date.UTC(2026, 2, 2, 12), 9_997), REACH, 1);
    await silent.stop();
    assert.deepEqual(await readPartitions(other, 8), positions);
    assert.deepEqual(await readLiveAccounts(other, [id]), [state]);
    const last = engineOn(other, 'last', 20, 100);
    await last.start();
    await last.settle();
    const view = await last.viewOf(id, 1, true);
    assert.equal(view?.account.equity, 99_970_000, 'the journal kept what the silent one took in');
    await last.stop();
    await other.close();
    await stored.close();
  });

  it('never has two owners of one partition, however many processes look at once', async () => {
    const stored = await openTestDatabase('postgres');
    const engines = Array.from({ length: 4 }, (_, index) =>
      engineOn(stored.database, `engine-${index}`, NEVER_MS, NEVER_MS),
    );
    await Promise.all(engines.map((engine) => engine.start()));
    const owned = engines.reduce((sum, engine) => sum + engine.ownedPartitions, 0);
    assert.equal(owned, 8);
    const rows = await readPartitions(stored.database, 8);
    assert.deepEqual(
      rows.map(({ epoch }) => epoch),
      Array(8).fill(1),
    );
    for (const engine of engines) await engine.stop();
    await stored.close();
  });
});
