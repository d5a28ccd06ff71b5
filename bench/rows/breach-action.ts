import { setTimeout } from 'node:timers/promises';
import { formatBrokerTime } from '../../src/domain/broker-time.ts';
import type { Database } from '../../src/storage/database.ts';
import { type Client, newAccount, newUser } from '../../test/servers/plimsoll-process.ts';
import { until } from '../../test/servers/until.ts';
import { GOALS } from '../goals.ts';
import { interleave, judge, percentile } from '../measure.ts';
import { labelOf, onDatabases } from '../on-databases.ts';
import type { Bench, BenchRow, Result } from '../row.ts';
import { serve } from '../servers/plimsoll.ts';

/**
 * Milliseconds from the event to the confirmation of the platform, which is one in the process:
 * what is measured is Plimsoll's own part. Goal: 50 at the 99th percentile.
 */
const ALLOWED_MS = 50;
const PROFILES = '/users/current/provisioning-profiles';
const QUOTAS = ['maxAccounts', 'maxDeployedG1Accounts', 'maxDeployedG2Accounts'];
/** Ahead of what is read from the platform meanwhile, which is late then. */
const AHEAD_MS = 6 * 3_600_000;

/** From the event of a breach until the platform has confirmed that trading is disabled. */
export const breachAction: BenchRow = {
  name: 'breach-action',
  what: 'an action at a breach, confirmed by its platform',
  run: onDatabases(runOn),
};

async function runOn(bench: Bench, kind: Database['kind']): Promise<Result> {
  await using stack = new AsyncDisposableStack();
  const each = bench.quick ? 25 : 100;
  const { address } = await serve(stack, kind, async () => {}, {
    PLIMSOLL_QUOTAS: QUOTAS.map((name) => `${name}=10000`).join(),
  });
  const client = await newUser(address, { scopes: ['read', 'write', 'ingest', 'actions'] });
  const profileId = await made(client, PROFILES, {
    ...{ name: 'Simulated', platform: 'p5', kind: 'simulated' },
    allowedActions: ['actAtBreach', 'disableTrading'],
  });
  const accounts: string[] = [];
  for (let index = 0; index < each * (bench.rounds + 1); index += 1) {
    accounts.push(await emptyAccount(client, profileId));
  }
  const samples = await interleave(bench, {
    plimsoll: async () => {
      const own = accounts.splice(0, each);
      for (const accountId of own) {
        await breakLimit(client, accountId);
        await setTimeout(20);
      }
      const times: number[] = [];
      for (const accountId of own) times.push(await confirmedMs(client, accountId));
      return percentile(times, 0.99);
    },
  });
  const name = `action confirmed after its event, p99, ${labelOf(kind)}`;
  const peer = {
    name: `${ALLOWED_MS} ms`,
    samples: samples.plimsoll.map(() => ALLOWED_MS),
  };
  return judge(name, 'ms', samples.plimsoll, peer, GOALS.withinBound);
}

/** An account of the platform that holds nothing. */
async function emptyAccount(client: Client, profileId: string): Promise<string> {
  const place = `/users/current/p5/provisioning-profiles/${profileId}/accounts`;
  const opened = await client.post<{ login: string }>(place, {
    ...{ email: 'bench@example.com', group: 'demo\\usd', leverage: 100 },
  });
  const { login } = good(opened);
  return newAccount(client, { platform: 'p5', login, profileId });
}

/** A limit that is broken by what the platform shows, too, found at a snapshot of ours. */
async function breakLimit(client: Client, accountId: string): Promise<void> {
  await made(client, `/users/current/accounts/${accountId}/trackers`, {
    ...{ name: 'loss', period: 'lifetime', baseline: 'initialCapital', initialCapital: 1000 },
    ...{ absoluteDrawdownThreshold: 500, actions: [{ action: 'disableTrading' }] },
  });
  const brokerTime = formatBrokerTime(Date.now() + AHEAD_MS);
  const row = { accountId, brokerTime, balance: 1, equity: -1000 };
  good(await client.post('/users/current/snapshots', [row]));
}

type Action = { state: string; createdAt: string; endedAt?: string; message?: string };

async function confirmedMs(client: Client, accountId: string): Promise<number> {
  const path = `/users/current/breach-actions?accountId=${accountId}`;
  let action: Action | undefined;
  await until(async () => {
    [action] = good(await client.get<Action[]>(path));
    return action?.endedAt !== undefined;
  }, 'the end of an action');
  if (action?.state !== 'done') throw new Error(`${action?.state}: ${action?.message}`);
  return Date.parse(action.endedAt ?? '') - Date.parse(action.createdAt);
}

const made = async (client: Client, path: string, body: object): Promise<string> =>
  good(await client.post<{ id: string }>(path, body)).id;

function good<T>({ status, body }: { status: number; body: T }): T {
  if (status >= 300) throw new Error(`${status}: ${JSON.stringify(body)}`);
  return body;
}
