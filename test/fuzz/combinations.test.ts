import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { needs, often } from '../needs.ts';
import {
  ADMIN_TOKEN,
  Client,
  newAccount,
  newUser,
  retry,
  startOn,
  type TestServer,
} from '../servers/plimsoll-process.ts';
import { until } from '../servers/until.ts';
import { Random } from '../simulation/random.ts';
import { ACTS, type Attacker, type Storm } from './hostile-acts.ts';

needs('postgres', 'server');

/** `FUZZ_ROUNDS=1000 FUZZ_SEED=7` looks longer and elsewhere. */
const ROUNDS = Number(process.env.FUZZ_ROUNDS ?? often(1, 3));
const SEED = Number(process.env.FUZZ_SEED ?? 1);
/** Concurrent acts of attackers. */
const AT_ONCE = 16;
const USERS = 3;
const TOKENS_EACH = 2;
/** A client that waits longer for an answer counts as unanswered. */
const HANG_MS = 30_000;
/** The neighbour leaves the processor to the attackers in between. */
const PROBE_PAUSE_MS = 10;
const MAX_FAULTS_SHOWN = 10;
const MAX_LOG_SHOWN = 4000;

for (const kind of ['sqlite', 'postgres'] as const) {
  describe(`hostile requests at the same time on ${kind}`, () => {
    let running: TestServer;
    let neighbour: Client;
    let neighboursAccountId: string;
    let attackers: Attacker[];
    before(async () => {
      running = await startOn(kind, {
        LOG_LEVEL: 'error',
        // All come from one address here.
        PLIMSOLL_REFUSALS_PER_MINUTE: '0',
      });
      neighbour = await newUser(running.server.address);
      neighboursAccountId = await newAccount(neighbour);
      const made = await Promise.all(Array.from({ length: USERS }, attackersOfOne));
      attackers = made.flat();
    });
    after(() => running.close());

    const operator = (): Client => new Client(running.server.address, ADMIN_TOKEN);
    const attackersOfOne = async (): Promise<Attacker[]> => {
      const user = await newUser(running.server.address);
      const accountId = await newAccount(user);
      const path = `/admin/users/${user.userId}/tokens`;
      return Promise.all(
        Array.from({ length: TOKENS_EACH }, async () => {
          const { body } = await operator().post<{ token: string }>(path, {});
          return { user, accountId, token: body.token };
        }),
      );
    };

    /** Actions of another user in the meantime, and their required answers. */
    const probe = async (): Promise<void> => {
      const answered = async (path: string, options: RequestInit = {}): Promise<void> => {
        const { headers, ...rest } = options;
        const ask = (): Promise<Response> =>
          fetch(running.server.address + path, {
            ...rest,
            headers: { 'auth-token': neighbour.token ?? '', ...headers },
            signal: AbortSignal.timeout(HANG_MS),
          });
        // A database that is too busy for three seconds asks to come again.
        const response = await retry(ask, `the neighbour's ${path}`);
        const text = await response.text();
        assert.equal(response.status, 200, `the neighbour's ${path}: ${text.slice(0, 300)}`);
      };
      await answered(`/users/current/accounts/${neighboursAccountId}`);
      await answered('/users/current/tracker-events/stream?wait=0');
      const row = {
        accountId: neighboursAccountId,
        brokerTime: '2026-03-02 10:00:00',
        balance: 1,
        equity: 1,
      };
      await answered('/users/current/snapshots', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify([row]),
      });
    };

    /** Places held for requests: all 0 when there are none. */
    const heldNow = async (): Promise<string[]> => {
      const { body } = await operator().get<string>('/metrics');
      const held =
        /^(?:plimsoll_places_taken|plimsoll_statement_threads|plimsoll_waiting_snapshot_bytes|plimsoll_waiting_pollers)\b.*$/gm;
      const lines = body.match(held) ?? [];
      assert.ok(lines.length > 10, 'the metrics tell what is held');
      return lines.filter((line) => !line.endsWith(' 0'));
    };

    it(`fail alone, and leave nothing held behind (seed ${SEED})`, async () => {
      const random = new Random(SEED);
      const { address } = running.server;
      const storm: Storm = { address, operator: operator(), random, later: [] };
      const faults: string[] = [];
      const told = async (what: string, work: Promise<void>): Promise<void> => {
        try {
          await work;
        } catch (error) {
          const { message, cause } = error as Error;
          faults.push(`${what}: ${message} ${cause ?? ''}`);
        }
      };
      const isAlive = (): boolean => running.server.process.exitCode === null;
      for (let round = 0; round < ROUNDS && faults.length === 0 && isAlive(); round += 1) {
        const acts = Array.from({ length: AT_ONCE }, () => {
          const [name, act] = random.pick(Object.entries(ACTS));
          return told(`round ${round}, ${name}`, act(storm, random.pick(attackers)));
        });
        let isOver = false;
        const over = Promise.all(acts).then(() => {
          isOver = true;
        });
        do {
          await told(`round ${round}`, probe());
          await sleep(PROBE_PAUSE_MS);
        } while (!isOver);
        await over;
      }
      await Promise.all(storm.later.map((end) => told('a token that is revoked', end)));
      if (faults.length > 0) console.error(running.server.log().slice(-MAX_LOG_SHOWN));
      assert.deepEqual(faults.slice(0, MAX_FAULTS_SHOWN), []);
      assert.ok(isAlive());
      let held: string[] = [];
      await until(async () => {
        held = await heldNow();
        return held.length === 0;
      }, 'nothing is held any more').catch((error) => assert.deepEqual(held, [], error.message));
      assert.equal((await operator().get('/health/ready')).status, 200);
    });
  });
}
