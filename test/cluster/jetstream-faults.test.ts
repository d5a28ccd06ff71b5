import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findNatsServer } from '../../scripts/install-nats-server.ts';
import { feedUnderFire } from '../faults/feed-under-fire.ts';
import { startReborn } from '../faults/reborn.ts';
import { LossyProxy } from '../servers/lossy-proxy.ts';
import { NatsCluster } from '../servers/nats-cluster.ts';
import { openTestDatabase } from '../servers/test-databases.ts';
import { Random } from '../simulation/random.ts';
import { natsStrikes } from './nats-strikes.ts';

const SEED = Number(process.env.PLIMSOLL_TEST_SEED ?? 20_261_123);
/** How long it goes on at least; without it, each kind of fault strikes once. */
const MINUTES = Number(process.env.PLIMSOLL_TEST_MINUTES ?? 0);
const PROCESSES = 3;

const server = await findNatsServer();
const skip = 'missing' in server ? server.missing : false;

describe(`a journal on three NATS servers (seed ${SEED})`, { skip }, () => {
  it('loses nothing, folds nothing twice and overtakes nothing, whatever is struck', async (t) => {
    assert.ok('path' in server);
    const cluster = await NatsCluster.start(server.path);
    const proxies = await Promise.all(cluster.nodes.map(({ port }) => LossyProxy.start(port)));
    const database = await openTestDatabase('postgres');
    const close = async (): Promise<void> => {
      await database.close();
      for (const proxy of proxies) await proxy.stop();
      await cluster.stop();
    };
    const environment = {
      ...database.environment,
      NATS_URL: proxies.map(({ port }) => `nats://127.0.0.1:${port}`).join(','),
    };
    const names = Array.from({ length: PROCESSES }, () => 'all');
    const processes = await startReborn(t, names, { environment, close });
    const random = new Random(SEED);
    const strikes = {
      ...natsStrikes(cluster, proxies, random),
      'SIGKILL of a process': () => random.pick(processes).die('SIGKILL'),
      'SIGTERM of a process': () => random.pick(processes).die('SIGTERM'),
      'kill of all nodes and processes': async () => {
        // Nobody has in memory what was acknowledged.
        await Promise.all([
          ...processes.map((each) => each.stop()),
          ...cluster.nodes.map((node) => node.kill()),
        ]);
        for (const node of cluster.nodes) node.start();
        await Promise.all(processes.map((each) => each.start()));
      },
    };
    const kinds = Object.entries(strikes);
    let turn = random.between(0, kinds.length - 1);
    const strike = async (): Promise<string> => {
      const [name, harm] = kinds[turn++ % kinds.length] ?? kinds[0] ?? [];
      await harm?.();
      return name ?? '';
    };
    // As behind a proxy that knows all of them.
    const turns = new Random(SEED);
    const address = (): string => turns.pick(processes).address;
    const { unavailable } = await feedUnderFire(t, {
      ...{ seed: SEED, minutes: MINUTES, random, strike, address },
      strikes: MINUTES > 0 ? Number.POSITIVE_INFINITY : kinds.length,
    });
    assert.ok(MINUTES === 0 || unavailable > 0, 'requests met a cluster without a leader');
  });
});
