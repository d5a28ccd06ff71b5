import {
  type Fields,
  HOSTED_PLATFORMS,
  newAccountOf,
  renamed,
} from '../../contract/hosted-names.ts';
import type { AccountStandingRecord } from '../../contract/operations/account-standing.ts';
import type { AccountRecord } from '../../contract/operations/accounts.ts';
import type { ProfileRecord } from '../../contract/operations/profiles.ts';
import { readPlatform } from './hosted-platform.ts';
import {
  accountPath,
  emptied,
  type HostedAnswer,
  type HostedCall,
  type HostedRow,
  withBody,
} from './hosted-row.ts';

const ACCOUNTS = '/users/current/accounts';
const ACCOUNT = `${ACCOUNTS}/:accountId`;

const hostedAccount = (account: AccountRecord, connectionStatus: string) => {
  const { version, word } = HOSTED_PLATFORMS[account.platform];
  return {
    _id: account.id,
    name: account.name,
    login: account.login,
    server: account.broker,
    platform: word,
    version,
    type: `cloud-${account.tier}`,
    region: account.region,
    baseCurrency: account.currency,
    magic: 0,
    state: account.deployed ? 'DEPLOYED' : 'UNDEPLOYED',
    connectionStatus,
    ...(account.profileId === undefined ? {} : { provisioningProfileId: account.profileId }),
    copyFactoryRoles: account.copy ? ['SUBSCRIBER'] : [],
    metastatsApiEnabled: account.statisticsEnabled,
    riskManagementApiEnabled: true,
    tags: account.labels,
    createdAt: account.createdAt,
  };
};

const connectionOf = ({ sync }: AccountRecord, isLive: boolean): string =>
  isLive || sync?.state === 'working' ? 'CONNECTED' : 'DISCONNECTED';

async function readHostedAccount(call: HostedCall): Promise<HostedAnswer> {
  const account = await call.ask({ method: 'GET', path: accountPath(call) });
  if (account.status !== 200) return account;
  const standing = await call.ask({ method: 'GET', path: accountPath(call, '/standing') });
  const isLive = (standing.body as AccountStandingRecord | undefined)?.state === 'live';
  return withBody(account, (record: AccountRecord) =>
    hostedAccount(record, connectionOf(record, isLive)),
  );
}

async function listHostedAccounts(call: HostedCall): Promise<HostedAnswer> {
  const answer = await call.ask({ method: 'GET', path: ACCOUNTS, query: call.query });
  return withBody(answer, (accounts: AccountRecord[]) =>
    accounts.map((account) => hostedAccount(account, connectionOf(account, false))),
  );
}

/** What the provisioning profile of a new account and its platform tell about it. */
async function knownOf({ body, ask }: HostedCall): Promise<{ told: Fields; clock: Fields }> {
  const { provisioningProfileId: id, login } = body;
  if (typeof id !== 'string' || id === '') return { told: {}, clock: {} };
  const path = `provisioning-profiles/${encodeURIComponent(id)}`;
  const profile = await ask({ method: 'GET', path: `/users/current/${path}` });
  if (profile.status !== 200) return { told: {}, clock: {} };
  const { platform, kind, brokerClock } = profile.body as ProfileRecord;
  const account = `accounts/${encodeURIComponent(`${login}`)}/account-information`;
  const now = await ask({ method: 'GET', path: `/users/current/${platform}/${path}/${account}` });
  const names = { currency: 'baseCurrency', leverage: 'leverage' };
  const told = now.status === 200 ? renamed(now.body as Fields, names) : {};
  // The simulated platforms have a clock of their own.
  const clock = kind === 'simulated' ? {} : { brokerClock };
  return { told: { ...told, platform }, clock };
}

async function createHostedAccount(call: HostedCall): Promise<HostedAnswer> {
  const { told, clock } = await knownOf(call);
  const body = { ...newAccountOf({ ...told, ...call.body }), ...clock };
  const created = await call.ask({ method: 'POST', path: ACCOUNTS, body });
  return withBody(created, ({ id }: { id: string }) => ({ id, state: 'DEPLOYED' }));
}

const change = async (call: HostedCall, body: Fields): Promise<HostedAnswer> =>
  emptied(await call.ask({ method: 'PATCH', path: accountPath(call), body }));

const deploying = (word: string, deployed: boolean): HostedRow => ({
  method: 'POST',
  path: `${ACCOUNT}/${word}`,
  what: `sets \`deployed\` to ${deployed}`,
  answer: (call) => change(call, { deployed }),
});

/** By the account's newest snapshot, and its platform where it is read through a profile. */
async function readInformation(call: HostedCall): Promise<HostedAnswer> {
  const account = await call.ask({ method: 'GET', path: accountPath(call) });
  if (account.status !== 200) return account;
  const standing = await call.ask({ method: 'GET', path: accountPath(call, '/standing') });
  const { platform, broker, currency, leverage, name, login } = account.body as AccountRecord;
  const now = await readPlatform(call, 'account-information');
  return withBody(standing, ({ balance, equity }: AccountStandingRecord) => ({
    ...{ platform: HOSTED_PLATFORMS[platform].word, broker, server: broker, currency },
    ...{ leverage, name, login, balance, equity, ...now },
  }));
}

export const ACCOUNT_ROWS: readonly HostedRow[] = [
  {
    method: 'GET',
    path: ACCOUNTS,
    what: 'lists accounts as records with `_id`, `state` and `connectionStatus`',
    answer: listHostedAccounts,
  },
  {
    method: 'GET',
    path: ACCOUNT,
    what: 'CONNECTED: its platform is read, or its snapshots come in',
    answer: readHostedAccount,
  },
  {
    method: 'POST',
    path: ACCOUNTS,
    takes: [
      ...['name', 'login', 'server', 'platform', 'version', 'baseCurrency', 'leverage', 'region'],
      ...['provisioningProfileId', 'metastatsApiEnabled', 'tags', 'type'],
    ],
    what: 'answers `{id, state}`. No password is taken: an account is read through a provisioning profile, which tells its platform and, unless it is simulated, its clock; the platform tells currency and leverage. Without a profile, and unless you name them, it has USD and 1:100',
    answer: createHostedAccount,
  },
  {
    method: 'PUT',
    path: ACCOUNT,
    takes: ['name', 'server', 'tags'],
    what: 'changes `name`, `server` and `tags`',
    answer: (call) =>
      change(call, renamed(call.body, { name: 'name', server: 'broker', tags: 'labels' })),
  },
  deploying('deploy', true),
  deploying('undeploy', false),
  deploying('redeploy', true),
  {
    method: 'POST',
    path: `${ACCOUNT}/enable-account-features`,
    takes: ['metastatsApiEnabled', 'riskManagementApiEnabled'],
    what: '`metastatsApiEnabled` is `statisticsEnabled`; risk management is always on',
    answer: (call) => {
      const body = renamed(call.body, { metastatsApiEnabled: 'statisticsEnabled' });
      return change(call, Object.keys(body).length > 0 ? body : { statisticsEnabled: true });
    },
  },
  {
    method: 'GET',
    path: `${ACCOUNT}/account-information`,
    what: 'from the platform, for accounts with a provisioning profile; of others their newest snapshot, without margin',
    answer: readInformation,
  },
];
