import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { findNatsServer } from '../../scripts/install-nats-server.ts';
import { feedUnderFire } from '../faults/feed-under-fire.ts';
import { startReborn } from '../faults/reborn.ts';
import { needs } from '../needs.ts';
import { seedOr } from '../seed.ts';
import { NatsCluster } from '../servers/nats-cluster.ts';
import { runPlimsoll } from '../servers/plimsoll-command.ts';
import { Client, newAccount, newUser } from '../servers/plimsoll-process.ts';
import { openTestDatabase } from '../servers/test-databases.ts';
import { until } from '../servers/until.ts';
import { Random } from '../simulation/random.ts';

needs('postgres', 'server', 'nats', 'time');

const SEED = seedOr(20_261_129);
const NAMES = ['all', 'all', 'all'];
const MINUTES = Number(process.env.PLIMSOLL_TEST_MINUTES ?? 0);
const ROUNDS = 8;
const PARTITIONS = 16;

type Shown = { processes: { partitions: number[] }[] };

const server = await findNatsServer();
const journals = {
  'in PostgreSQL': false as const,
  'on NATS': 'missing' in server ? server.missing : (false as const),
};

for (const [journal, skip] of Object.entries(journals)) {
  describe(`three processes with a journal ${journal} (seed ${SEED})`, { skip }, () => {
    async function start(t: TestContext) {
      const database = await openTestDatabase('postgres');
      const isOnNats = journal === 'on NATS' && 'path' in server;
      const cluster = isOnNats ? await NatsCluster.start(server.path, { nodes: 1 }) : undefined;
      const close = async (): Promise<void> => {
        await database.close();
        await cluster?.stop();
      };
      const environment: Record<string, string> = {
        ...database.environment,
        ...(cluster ? { NATS_URL: cluster.url, NATS_MONITOR_URL: cluster.monitors } : {}),
      };
      return { environment, processes: await startReborn(t, NAMES, { environment, close }) };
    }

    const sharesOf = async (environment: Record<string, string>): Promise<number[]> => {
      const { stdout } = await runPlimsoll(['cluster', '--json'], environment);
      const { processes } = JSON.parse(stdout) as Shown;
      return processes.map(({ partitions }) => partitions.length).filter((count) => count > 0);
    };
    const hasFairShares = async (environment: Record<string, string>): Promise<boolean> => {
      const shares = (await sharesOf(environment)).sort();
      return shares.join() === '5,5,6';
    };

    it('all give the same current answers', async (t) => {
      const { processes } = await start(t);
      const random = new Random(SEED);
      const [first] = processes;
      assert.ok(first);
      const { token = '' } = await newUser(first.address);
      const clients = processes.map(({ address }) => new Client(address, token));
      const ids: string[] = [];
      for (let n = 0; n < 4; n += 1) ids.push(await newAccount(random.pick(clients)));
      for (let round = 1; round <= ROUNDS; round += 1) {
        const equity = random.between(5_000, 10_000);
        const at = `2026-03-02 ${String(round).padStart(2, '0')}:00:00`;
        const accountId = random.pick(ids);
        const row = { accountId, brokerTime: at, balance: 10_000, equity };
        const sent = await random.pick(clients).post('/users/current/snapshots', [row]);
        assert.equal(sent.status, 200);
        const account = `/users/current/accounts/${accountId}`;
        const range = 'startTime=2026-03-02 00:00:00&endTime=2026-03-03 00:00:00&realTime=true';
        const path = `${account}/equity-chart?${range}`;
        const charts = await Promise.all(clients.map((client) => client.asOfNow<Hour[]>(path)));
        for (const chart of charts) {
          const hour = chart.find(({ startBrokerTime }) => startBrokerTime.startsWith(at));
          assert.equal(hour?.lastEquity, equity, `round ${round}: what was acknowledged is there`);
          assert.deepEqual(chart, charts[0]);
        }
      }
    });

    const only = { skip: MINUTES > 0 ? false : 'it takes minutes: npm run test:cluster' };
    it('replaces one process after another under load: 503 at most', only, async (t) => {
      const { environment, processes } = await start(t);
      const fair = `fair shares of ${PARTITIONS} partitions`;
      await until(() => hasFairShares(environment), fair);
      const random = new Random(SEED);
      let turn = 0;
      await feedUnderFire(t, {
        ...{ seed: SEED, minutes: MINUTES, random },
        address: () => random.pick(processes).address,
        async strike() {
          await processes[turn++ % processes.length]?.die('SIGTERM');
          return 'orderly restart';
        },
      });
      await until(() => hasFairShares(environment), `${fair} again`);
    });
  });
}

type Hour = { startBrokerTime: string; lastEquity: number };
