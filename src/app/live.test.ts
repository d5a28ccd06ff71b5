import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Registry } from 'prom-client';
import { needs } from '../../test/needs.ts';
import { testContext } from '../../test/servers/test-context.ts';
import { openTestDatabase } from '../../test/servers/test-databases.ts';
import { type Database, DatabaseUnavailable } from '../storage/database.ts';
import { readPartitions } from '../storage/partition-store.ts';
import { startLive } from './live.ts';
import { readSettings } from './settings.ts';

needs('postgres');

/** A database that requests cannot reach. */
const away = (database: Database): Database =>
  new Proxy(database, {
    get: (target, name: keyof Database) => {
      if (name === 'all' || name === 'get')
        return () => Promise.reject(new DatabaseUnavailable('it is away'));
      const own = target[name];
      return typeof own === 'function' ? own.bind(target) : own;
    },
  });

for (const kind of ['sqlite', 'postgres'] as const)
  it(`stops parts started before a failure, on ${kind}`, async (t) => {
    const opened = await openTestDatabase(kind);
    t.after(() => opened.close());
    const { journal, ...context } = await testContext(opened.database);
    const { settings } = readSettings(opened.environment);
    const world = {
      ...{ context, journal, database: away(opened.database), registry: new Registry() },
      engineDatabase: opened.database,
    };
    const stops: (() => unknown)[] = [];
    const owners = async () =>
      (await readPartitions(opened.database)).filter(({ owner }) => owner !== null);
    await assert.rejects(
      startLive(settings, world, (stop) => stops.push(stop)),
      /it is away/,
    );
    assert.notDeepEqual(await owners(), []);
    for (const stop of stops.reverse()) await stop();
    assert.deepEqual(await owners(), []);
  });

it('stops an engine that could not start', async (t) => {
  const opened = await openTestDatabase('sqlite');
  t.after(() => opened.close());
  const { journal, ...context } = await testContext(opened.database);
  const { settings } = readSettings(opened.environment);
  const world = {
    ...{ context, journal, database: opened.database, registry: new Registry() },
    engineDatabase: away(opened.database),
  };
  const stops: (() => unknown)[] = [];
  await assert.rejects(
    startLive(settings, world, (stop) => stops.push(stop)),
    /it is away/,
  );
  for (const stop of stops.reverse()) await stop();
  const timers = process.getActiveResourcesInfo().filter((name) => name === 'Timeout');
  assert.deepEqual(timers, []);
});
