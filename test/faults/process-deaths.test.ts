import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import pg from 'pg';
import {
  type Client,
  newUser,
  type PlimsollProcess,
  startPlimsoll,
} from '../servers/plimsoll-process.ts';
import { startPostgres } from '../servers/postgres-process.ts';
import { openTestDatabase } from '../servers/test-databases.ts';
import { Random } from '../simulation/random.ts';
import { freePort } from './free-port.ts';
import { RiskLoad } from './risk-load.ts';

const SEED = Number(process.env.PLIMSOLL_TEST_SEED ?? 20_250_301);
/** About how long each fault goes on: the feed is as long as that takes. */
const MINUTES = Number(process.env.PLIMSOLL_TEST_MINUTES ?? 0.2);
const ACCOUNTS = Math.max(15, Math.round(MINUTES * 75));
/** New York's clock changes; no hour comes twice, so that keyless requests may be sent again. */
const FEED = { startUtcMs: Date.UTC(2025, 2, 5), days: 8, pace: 60, accounts: ACCOUNTS };

/** A process that can be killed and started again on the same port. */
class Reborn {
  readonly #environment: Record<string, string>;
  #process: PlimsollProcess | undefined;
  address = '';

  constructor(environment: Record<string, string>) {
    this.#environment = environment;
  }

  async start(): Promise<void> {
    this.#process = await startPlimsoll(this.#environment);
    this.address = this.#process.address;
  }

  async die(how: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    if (how === 'SIGKILL') await this.#process?.kill();
    else assert.equal(await this.#process?.stop(), 0, 'SIGTERM ends it well');
    await this.start();
  }

  async stop(): Promise<void> {
    await this.#process?.kill();
  }
}

async function start(names: readonly string[], environment: Record<string, string>) {
  const processes: Reborn[] = [];
  for (const roles of names) {
    const PORT = String(await freePort());
    const own = { ...environment, PORT, PLIMSOLL_ROLES: roles, LOG_LEVEL: 'fatal' };
    const one = new Reborn(own);
    processes.push(one);
    after(() => one.stop());
    await one.start();
  }
  return processes;
}

/** Feeds while `strike` is called again and again, and compares all that can be read back. */
async function feedUnderFire(
  client: Client,
  address: () => string,
  random: Random,
  strike: () => Promise<void>,
): Promise<string> {
  let strikes = 0;
  let isFed = false;
  const strikeOn = async (): Promise<void> => {
    while (!isFed) {
      await new Promise((resolve) => setTimeout(resolve, random.between(50, 1200)));
      if (isFed) return;
      await strike();
      strikes += 1;
    }
  };
  const load = new RiskLoad({ ...FEED, seed: SEED, address, token: client.token ?? '' });
  await load.setUp();
  const striking = strikeOn();
  try {
    await load.run();
  } finally {
    isFed = true;
    await striking;
  }
  const { hours, periods, events } = await load.settled();
  const { unavailable, cut } = load.answers;
  assert.ok(strikes > 0 && events > 0, `${strikes} strikes, ${events} events`);
  return `${strikes} strikes, ${load.sent} snapshots, ${unavailable} × 503, ${cut} cut; ${hours} hours, ${periods} periods, ${events} events`;
}

describe(`faults under load (seed ${SEED})`, () => {
  for (const kind of ['sqlite', 'postgres'] as const) {
    for (const how of ['SIGKILL', 'SIGTERM'] as const) {
      it(`loses nothing when all roles on ${kind} end by ${how}`, async (t) => {
        const stored = await openTestDatabase(kind);
        after(() => stored.close());
        const [server] = await start(['all'], stored.environment);
        assert.ok(server);
        const client = await newUser(server.address);
        const strike = () => server.die(how);
        const random = new Random(SEED);
        t.diagnostic(await feedUnderFire(client, () => server.address, random, strike));
      });
    }
  }

  it('loses nothing when processes of single roles are killed on postgres', async (t) => {
    const stored = await openTestDatabase('postgres');
    after(() => stored.close());
    const roles = ['api,engine', 'api', 'engine', 'jobs'];
    const processes = await start(roles, stored.environment);
    const random = new Random(SEED + 1);
    const [reader, taker] = processes;
    assert.ok(reader && taker);
    const client = await newUser(taker.address);
    const strike = () => random.pick(processes.slice(1)).die('SIGKILL');
    t.diagnostic(await feedUnderFire(client, () => taker.address, random, strike));
  });

  it('loses nothing when postgres crashes and connections are cut', async (t) => {
    const postgres = await startPostgres();
    after(() => postgres.stop());
    const [server] = await start(['all'], { DATABASE_URL: postgres.url });
    assert.ok(server);
    const client = await newUser(server.address);
    const random = new Random(SEED + 2);
    const strike = async (): Promise<void> => {
      const admin = new pg.Client({ connectionString: postgres.url });
      admin.on('error', () => {});
      try {
        await admin.connect();
        const own = `datname = current_database() and pid <> pg_backend_pid()`;
        const { rows } = await admin.query(`select pid from pg_stat_activity where ${own}`);
        // Killed without ceremony, one backend takes the whole server down and into recovery.
        if (rows.length > 0 && random.chance(0.5)) process.kill(random.pick(rows).pid, 'SIGKILL');
        else
          await admin.query(`select pg_terminate_backend(pid) from pg_stat_activity where ${own}`);
        await admin.end();
      } catch {
        // It is down from the last strike.
      }
    };
    t.diagnostic(await feedUnderFire(client, () => server.address, random, strike));
  });
});
