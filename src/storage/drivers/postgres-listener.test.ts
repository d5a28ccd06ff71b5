import { it } from 'node:test';
import { needs } from '../../../test/needs.ts';
import { freePort } from '../../../test/servers/free-ports.ts';
import { LossyProxy } from '../../../test/servers/lossy-proxy.ts';
import { openTestDatabase } from '../../../test/servers/test-databases.ts';
import { until } from '../../../test/servers/until.ts';
import { PostgresListener } from './postgres-listener.ts';

needs('postgres');

it('makes one connection, however many listeners start while there is none', async (t) => {
  const { database, environment, close } = await openTestDatabase('postgres');
  t.after(close);
  const url = new URL(environment.DATABASE_URL ?? '');
  const proxy = await LossyProxy.start(await freePort());
  t.after(() => proxy.stop());
  const port = Number(url.port);
  const name = 'listener';
  url.port = String(proxy.port);
  url.searchParams.set('application_name', name);
  const connections = async (): Promise<unknown> => {
    const sql = 'select count(*) as open from pg_stat_activity where application_name = $1';
    return (await database.get(sql, [name]))?.open;
  };
  const lost = Promise.withResolvers<void>();
  const subscribed = Promise.withResolvers<void>();
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const listener = new PostgresListener(url.href, () => lost.resolve());
  listener.listen('plimsoll_events', () => {});
  await lost.promise;
  proxy.target = port;
  listener.listen('plimsoll_journal', () => subscribed.resolve());
  await subscribed.promise;
  // The connection that failed is due to be made again.
  t.mock.timers.tick(500);
  t.mock.timers.reset();
  await listener.close();
  await until(async () => (await connections()) === 0, 'the end of all connections');
});
