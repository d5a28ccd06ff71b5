import { readFile } from 'node:fs/promises';
import { DAY_MS, formatBrokerTime } from '../domain/broker-time.ts';
import { fromUnits, moneyDigits } from '../domain/money.ts';
import type { Actor } from '../services/changes.ts';
import type { Context } from '../services/context.ts';
import { ServiceError } from '../services/errors.ts';
import { createUser } from '../services/users/create-user.ts';
import { findUser } from '../services/users/find-user.ts';
import { revokeToken } from '../services/users/revoke-token.ts';
import { createToken, readTokens } from '../services/users/tokens.ts';
import type { Platform } from '../words/accounts.ts';
import { TOKEN_SCOPES } from '../words/service.ts';
import { feedDemo } from './demo-feed.ts';
import { HttpClient } from './http-client.ts';
import type { SimulatedBroker } from './platform/broker.ts';
import { liveSnapshots } from './platform/live-snapshots.ts';

const DEMO_EMAIL = 'demo@plimsoll.local';
const TOKEN_NAME = 'demo';
const DEMO: Actor = { actor: 'demo', tokenId: null };
/** How far back the charts of the live accounts begin. */
const LIVE_DAYS = 30;

const STATEMENTS = [
  {
    id: 'demo-hedging',
    name: 'Hedging, EURUSD and GBPUSD',
    platform: 'p5',
    currency: 'USD',
    login: '200001',
    file: 'p5-hedging-eurusd-gbpusd.xlsx',
  },
  {
    id: 'demo-statement',
    name: 'Statement of MetaTrader 4',
    platform: 'p4',
    currency: 'USD',
    login: '100001',
    file: 'p4-statement.htm',
  },
  {
    id: 'demo-netting-jpy',
    name: 'Netting, in yen',
    platform: 'p5',
    currency: 'JPY',
    login: '200002',
    file: 'p5-netting-jpy.html',
  },
] as const;

const LIVE = [
  { id: 'demo-live-steady', name: 'Live, steady (MetaTrader 4)', platform: 'p4', login: 100_001 },
  {
    id: 'demo-live-reckless',
    name: 'Live, reckless (MetaTrader 5)',
    platform: 'p5',
    login: 200_004,
  },
] as const;

const DAILY_LOSS = { name: 'Daily loss 5 %', period: 'date', relativeDrawdownThreshold: 0.05 };
const TRACKERS = [
  DAILY_LOSS,
  { name: 'Daily loss 1 %', period: 'date', relativeDrawdownThreshold: 0.01 },
  { name: 'Profit target 10 %', period: 'lifetime', relativeProfitThreshold: 0.1 },
];

/** The running server, and the simulated platform of a profile. */
type DemoServer = {
  address: string;
  context: Context;
  platforms: { openSimulated(profile: SimulatedProfile): Promise<SimulatedBroker> };
};

/** A profile of a simulated platform. */
export type SimulatedProfile = { id: string; userId: string; platform: Platform };

type Profile = { id: string; platform: Platform; kind: string };

/**
 * Ensures that the demo user exists with its accounts, and returns a fresh token of it; the
 * previous start's token is revoked. Everything except the user goes through Plimsoll's own
 * interface. Two of the accounts are fed until `stopFeed`.
 */
export async function prepareDemo(
  plimsoll: DemoServer,
): Promise<{ token: string; stopFeed: () => void }> {
  const userId = await demoUser(plimsoll);
  const { token } = await freshToken(plimsoll, userId);
  const client = new HttpClient(plimsoll.address, token);
  const accounts = await client.send<{ id: string; profileId?: string }[]>(
    'GET',
    '/users/current/accounts',
  );
  const known = new Map(accounts.map((account) => [account.id, account]));
  for (const statement of STATEMENTS) {
    if (!known.has(statement.id)) await addStatementAccount(client, statement);
  }
  const profiles = await demoProfiles(client);
  for (const live of LIVE) {
    const profileId = profiles[live.platform];
    const profile = { id: profileId, userId, platform: live.platform };
    if (!known.has(live.id)) await addLiveAccount(plimsoll, client, live, profile);
    const isBound = known.get(live.id)?.profileId === profileId;
    // Bound only after importing its past: from then on the platform is read automatically.
    if (!isBound) await client.send('PATCH', `/users/current/accounts/${live.id}`, { profileId });
  }
  return { token, stopFeed: await feedDemo(plimsoll.address, token, plimsoll.context.now) };
}

async function demoUser({ context }: DemoServer): Promise<string> {
  try {
    return (await findUser(context, DEMO_EMAIL)).id;
  } catch (error) {
    if (!(error instanceof ServiceError && error.code === 'notFound')) throw error;
    return (await createUser(context, DEMO, { email: DEMO_EMAIL, name: 'Demo' })).id;
  }
}

/** Tokens are stored hashed, so the last start's token can't be shown again: it is replaced. */
async function freshToken({ context }: DemoServer, userId: string): Promise<{ token: string }> {
  for (const token of (await readTokens(context, userId, {})).items) {
    if (token.name === TOKEN_NAME) await revokeToken(context, DEMO, token.id);
  }
  // On a laptop the viewer is the operator, too.
  return createToken(context, DEMO, userId, { name: TOKEN_NAME, scopes: [...TOKEN_SCOPES] });
}

async function addStatementAccount(
  client: HttpClient,
  { file, ...fields }: (typeof STATEMENTS)[number],
): Promise<void> {
  const account = { ...fields, broker: 'Plimsoll demo', leverage: 100 };
  const path = `/users/current/accounts/${fields.id}`;
  await client.send('POST', '/users/current/accounts', account);
  const bytes = await readFile(new URL(`./statements/${file}`, import.meta.url));
  await client.send('POST', `${path}/statements`, bytes);
  // It waits for the first snapshot sent.
  await client.send('POST', `${path}/trackers`, DAILY_LOSS);
}

async function demoProfiles(client: HttpClient): Promise<Record<Platform, string>> {
  const path = '/users/current/provisioning-profiles';
  const profiles = await client.send<Profile[]>('GET', path);
  const idOf = async (platform: Platform): Promise<string> => {
    const known = profiles.find((each) => each.platform === platform && each.kind === 'simulated');
    if (known) return known.id;
    const profile = { name: `Simulated ${platform} platform`, platform, kind: 'simulated' };
    return (await client.send<{ id: string }>('POST', path, profile)).id;
  };
  return { p4: await idOf('p4'), p5: await idOf('p5') };
}

/** A live account with trackers, and a month of the simulated platform's past for its charts. */
async function addLiveAccount(
  { context, platforms }: DemoServer,
  client: HttpClient,
  { id, name, platform, login }: (typeof LIVE)[number],
  profile: SimulatedProfile,
): Promise<void> {
  const path = '/users/current/accounts';
  const fields = { broker: 'Plimsoll demo', currency: 'USD', leverage: 100 };
  await client.send('POST', path, { id, name, platform, login, ...fields });
  const broker = await platforms.openSimulated(profile);
  const nowMs = context.now();
  const digits = moneyDigits('USD');
  const sinceMs = nowMs - LIVE_DAYS * DAY_MS;
  const snapshots = await liveSnapshots(broker, login, sinceMs, nowMs);
  const records = snapshots.map(({ brokerTimeMs, balance, equity }) => ({
    accountId: id,
    brokerTime: formatBrokerTime(brokerTimeMs),
    balance: fromUnits(balance, digits),
    equity: fromUnits(equity, digits),
  }));
  await client.send('POST', '/users/current/snapshots', records);
  // After its past, whose findings are then no work that waits.
  const startBrokerTime = formatBrokerTime(sinceMs);
  for (const tracker of TRACKERS) {
    await client.send('POST', `${path}/${id}/trackers`, { ...tracker, startBrokerTime });
  }
}
