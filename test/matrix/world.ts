import assert from 'node:assert/strict';
import { ROLES, type Role } from '../../src/words/roles.ts';
import { type SessionClient, sessionOf } from '../servers/browser-session.ts';
import { ADMIN_TOKEN, Client, newAccount, newUser } from '../servers/plimsoll-process.ts';

/** A user with one of everything, and tokens of every kind that must not reach it. */
export type World = {
  address: string;
  owner: Client & { userId: string };
  stranger: Client & { userId: string };
  operator: Client;
  accountId: string;
  otherAccountId: string;
  trackerId: string;
  dealId: string;
  /** Of a file with a conflict. */
  importId: string;
  trackerOfOtherAccount: string;
  trackerName: string;
  profiles: Record<'p4' | 'p5', string>;
  webhookId: string;
  sequenceNumber: string;
  quotaRequestId: string;
  mailId: string;
  spareTokenId: string;
  spareUserId: string;
  ownTokenId: string;
  /** From the owner's token. */
  sessionId: string;
  /** A person of each role, with a session. The trader has the other account. */
  people: Record<Role, SessionClient & { id: string }>;
  /** Of which there is an enrolment, and one without. */
  programId: string;
  spareProgramId: string;
  enrolmentId: string;
  strangersAccountId: string;
  /** A token of a user with these fields. */
  tokenOf(userId: string, fields: object): Promise<Client & { id: string }>;
};

const EVERYTHING = { scopes: ['read', 'write', 'ingest', 'actions', 'admin'] };
const ACCOUNTS = '/users/current/accounts';
const DEAL = {
  id: 'deal-1',
  type: 'DEAL_TYPE_BALANCE',
  profit: 5,
  brokerTime: '2025-03-02 09:00:00',
};
/** Two files of one position, which differ in its profit. */
const DEALS_FILE = [
  'ticket,position_id,time,type,entry,symbol,volume,price,commission,swap,profit',
  '9001,701,2025-03-03 09:00:10,0,0,EURUSD,0.1,1.08501,0,0,0',
  '9002,701,2025-03-03 11:00:20,1,1,EURUSD,0.1,1.08601,0,0,10',
].join('\n');
const DIFFERING_FILE = [
  'Ticket,Open,Type,Volume,Symbol,Open Price,Close,Close Price,Swap,Commission,Profit',
  '701,2025-03-03 09:00:10,buy,0.1,EURUSD,1.08501,2025-03-03 11:00:20,1.08601,0,0,15',
].join('\n');

export async function createWorld(address: string): Promise<World> {
  const operator = new Client(address, ADMIN_TOKEN);
  const owner = await newUser(address, EVERYTHING);
  const stranger = await newUser(address, EVERYTHING);
  const accountId = await newAccount(owner);
  const otherAccountId = await newAccount(owner);
  const strangersAccountId = await newAccount(stranger);
  const made = async (path: string, body: object | string, by: Client = owner): Promise<string> => {
    const answer = await by.post<{ id: string }>(path, body);
    assert.equal(answer.status, 201, `${path}: ${JSON.stringify(answer.body)}`);
    return answer.body.id;
  };
  const tracker = { name: 'daily', period: 'date', relativeDrawdownThreshold: 0.05 };
  const trackerId = await made(`${ACCOUNTS}/${accountId}/trackers`, tracker);
  const trackerOfOtherAccount = await made(`${ACCOUNTS}/${otherAccountId}/trackers`, tracker);
  await owner.call('PUT', '/users/current/account-views/desk', { label: 'watched' });
  const profile = (platform: string): Promise<string> =>
    made('/users/current/provisioning-profiles', {
      ...{ name: platform, platform, kind: 'simulated' },
      allowedActions: ['disableTrading', 'setPassword', 'balanceOperation', 'closePositions'],
    });
  const tokenOf = async (userId: string, fields: object) => {
    const answer = await operator.post<{ id: string; token: string }>(
      `/admin/users/${userId}/tokens`,
      fields,
    );
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return Object.assign(new Client(address, answer.body.token), { id: answer.body.id });
  };
  const programs = '/users/current/programs';
  const person = async (role: Role) => {
    const fields = { name: role, email: `${role}@example.com`, role };
    const given = role === 'trader' ? { accountIds: [otherAccountId] } : {};
    const path = '/users/current/people';
    const invited = await owner.post<{ id: string; code: string }>(path, { ...fields, ...given });
    assert.equal(invited.status, 201, JSON.stringify(invited.body));
    const { id, code } = invited.body;
    return [role, Object.assign(await sessionOf(owner, { code }), { id })] as const;
  };
  const people = Object.fromEntries(await Promise.all(ROLES.map(person)));
  const programId = await made(programs, PROGRAM);
  const enrolment = { programId, initialBalance: 10_000 };
  const put = await owner.call('PUT', `${ACCOUNTS}/${accountId}/market`, MARKET);
  assert.equal(put.status, 204, JSON.stringify(put.body));
  const statements = `${ACCOUNTS}/${accountId}/statements`;
  await made(statements, DEALS_FILE);
  return {
    address,
    owner,
    stranger,
    operator,
    accountId,
    otherAccountId,
    trackerId,
    dealId: await recordDeal(owner, accountId),
    importId: await made(statements, DIFFERING_FILE),
    trackerOfOtherAccount,
    trackerName: tracker.name,
    profiles: { p4: await profile('p4'), p5: await profile('p5') },
    webhookId: await made('/users/current/webhooks', { url: 'https://hooks.example.com/x' }),
    sequenceNumber: await breach(owner, accountId),
    ...(await quotaRequests(owner, operator)),
    spareTokenId: (await tokenOf(owner.userId, {})).id,
    spareUserId: (await newUser(address)).userId,
    ownTokenId: await made('/users/current/tokens', {}),
    people: people as World['people'],
    sessionId: (await sessionOf(owner)).sessionId,
    programId,
    spareProgramId: await made(programs, { ...PROGRAM, name: 'Spare' }),
    enrolmentId: await made(`${ACCOUNTS}/${accountId}/enrolments`, enrolment),
    strangersAccountId,
    tokenOf,
  };
}

export const snapshot = (accountId: string, second: number, equity: number) => ({
  accountId,
  brokerTime: `2026-03-02 10:00:0${second}`,
  balance: 10_000,
  equity,
});

async function breach(owner: Client, accountId: string): Promise<string> {
  const rows = [snapshot(accountId, 0, 10_000), snapshot(accountId, 1, 9_000)];
  assert.equal((await owner.post('/users/current/snapshots', rows)).status, 200);
  const path = '/users/current/drawdown-events/stream';
  const events = await owner.get<{ sequenceNumber: number }[]>(path);
  return String(events.body[0]?.sequenceNumber);
}

/** A decided request, whose mail is there, and one that waits. */
async function quotaRequests(
  owner: Client,
  operator: Client,
): Promise<{ quotaRequestId: string; mailId: string }> {
  const request = async (maxAccounts: number): Promise<string> => {
    const path = '/users/current/regions/main/quotas';
    return (await owner.call<{ id: string }>('PATCH', path, { maxAccounts })).body.id;
  };
  const first = await request(10);
  const decision = { decision: 'decline' };
  const decided = await operator.post(`/admin/quota-requests/${first}/decision`, decision);
  assert.equal(decided.status, 204);
  const mails = await operator.get<{ id: string }[]>('/admin/mail');
  return { quotaRequestId: await request(20), mailId: mails.body[0]?.id ?? '' };
}

export const PROGRAM = {
  name: 'Challenge',
  phases: [
    {
      name: 'Only',
      rules: [{ kind: 'maximumLoss', share: 0.5 }],
      objectives: [{ kind: 'profitTarget', share: 0.08 }],
    },
  ],
};

export const MARKET = {
  symbols: [
    {
      symbol: 'EURUSD',
      marginMode: 'FOREX',
      contractSize: 100_000,
      currencyBase: 'EUR',
      currencyProfit: 'USD',
      currencyMargin: 'EUR',
      digits: 5,
      volumeMin: 0.01,
      volumeMax: 100,
      volumeStep: 0.01,
    },
  ],
  quotes: [{ symbol: 'EURUSD', bid: 1.1, ask: 1.1001, brokerTime: '2026-03-02 10:00:00' }],
};

async function recordDeal(owner: Client, accountId: string): Promise<string> {
  const answer = await owner.post(`${ACCOUNTS}/${accountId}/deals`, [DEAL]);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return DEAL.id;
}
