import { readFileSync } from 'node:fs';
import { MARKET, PROGRAM, snapshot, type World } from './world.ts';

/** An operation in the OpenAPI document. */
export type Operation = {
  id: string;
  method: string;
  path: string;
  isPublic: boolean;
};

/** And its answer for missing things: 400 if that is its only documented failure. */
export type HidingOperation = Operation & { hides: 400 | 404 };

/** Who may call an operation, and a body with which the owner succeeds. */
type Row = {
  scope: 'public' | 'read' | 'write' | 'ingest' | 'admin';
  /** Answers to a token of some accounts if no other account is named; default 200. */
  byAccountToken?: 201 | 204 | 403 | 404;
  /** If public: its answer; default 200. */
  opens?: 201;
  body?: (world: World) => unknown;
  headers?: Record<string, string>;
  query?: string | ((world: World) => string);
};

const read: Row = { scope: 'read' };
const write: Row = { scope: 'write' };
const admin: Row = { scope: 'admin' };
const platformRead: Row = { scope: 'read', byAccountToken: 403 };
const platformWrite: Row = { scope: 'write', byAccountToken: 403 };
const signIn: Row = {
  ...{ scope: 'public', body: ({ owner }) => ({ token: owner.token }) },
  headers: { 'sec-fetch-site': 'same-origin' },
};
const changeAccount: Row = { ...platformWrite, body: () => ({ tradingEnabled: false }) };
const setPassword: Row = { ...platformWrite, body: () => ({ kind: 'main' }) };
const moveMoney: Row = {
  ...{ ...platformWrite, body: () => ({ amount: 100 }) },
  headers: { 'idempotency-key': 'matrix' },
};
const enrol = ({ programId }: World) => ({ programId, initialBalance: 10_000 });
const closePositions: Row = { ...platformWrite, body: () => ({ cancelPendingOrders: true }) };
const eventStream: Row = { scope: 'read', query: '?wait=0' };
const tracker = (name: string) => ({ name, period: 'week', absoluteDrawdownThreshold: 100 });
const STATEMENT = new URL(
  '../../src/demo/statements/p5-hedging-eurusd-gbpusd.xlsx',
  import.meta.url,
);

/** Every operation has a row, written by hand: the code's own statements are under test. */
export const ROWS: Record<string, Row> = {
  readLiveness: { scope: 'public' },
  readReadiness: { scope: 'public' },
  readEvidenceKey: { scope: 'public' },
  readCurrentToken: read,
  readSession: { scope: 'public' },
  signIn: { ...signIn, opens: 201, byAccountToken: 201 },
  readSignIn: signIn,
  createSignInCode: { ...read, byAccountToken: 201 },
  listSessions: read,
  endSession: { ...read, byAccountToken: 404 },
  endSessions: { ...read, byAccountToken: 204 },
  listPeople: platformRead,
  invitePerson: {
    ...platformWrite,
    body: () => ({ name: 'Ida', email: 'ida@example.com', role: 'risk' }),
  },
  invitePersonAgain: platformWrite,
  changePerson: { ...platformWrite, body: () => ({ role: 'viewer' }) },
  removePerson: platformWrite,
  listOwnTokens: platformRead,
  createOwnToken: { ...platformWrite, body: () => ({}) },
  rotateOwnToken: { ...platformWrite, body: () => ({}) },
  deleteOwnToken: platformWrite,
  readAccountsOverview: read,
  readAccountTotals: read,
  listAccountLabels: read,
  labelAccounts: {
    scope: 'write',
    body: ({ otherAccountId }) => ({ accountIds: [otherAccountId], add: ['matrix'] }),
  },
  listAccountViews: read,
  saveAccountView: { ...platformWrite, body: () => ({ label: 'matrix' }) },
  deleteAccountView: platformWrite,
  listRuleTemplates: read,
  saveRuleTemplate: {
    ...platformWrite,
    body: () => ({ rule: { period: 'date', relativeDrawdownThreshold: 0.05 } }),
  },
  deleteRuleTemplate: platformWrite,
  listTableMappings: read,
  saveTableMapping: {
    ...platformWrite,
    body: () => ({
      columns: ['side', 'volume', 'closeTime', 'profit'].map((field) => ({
        heading: field,
        field,
      })),
    }),
  },
  deleteTableMapping: platformWrite,
  readEventMail: platformRead,
  setEventMail: { ...platformWrite, body: () => ({ breaches: 'off', warnings: 'off' }) },

  createUser: { ...admin, body: () => ({ email: 'matrix@example.com' }) },
  listUsers: admin,
  deleteUser: admin,
  createToken: { ...admin, body: () => ({}) },
  listTokens: admin,
  rotateToken: { ...admin, body: () => ({}) },
  deleteToken: admin,
  setQuotas: {
    ...admin,
    body: () => ({
      maxAccounts: 100,
      maxDeployedG1Accounts: 100,
      maxDeployedG2Accounts: 100,
      maxDeployedCopyAccounts: 100,
      maxDedicatedIpv4: 100,
    }),
  },
  listQuotaRequests: admin,
  decideQuotaRequest: { ...admin, body: () => ({ decision: 'approve' }) },
  listMail: admin,
  resendMail: admin,
  listAudit: admin,

  createAccount: {
    ...platformWrite,
    body: () => ({
      name: 'New',
      platform: 'p4',
      login: 7,
      broker: 'Broker',
      currency: 'USD',
      leverage: 100,
    }),
  },
  listAccounts: read,
  readAccount: read,
  updateAccount: { ...write, body: () => ({ name: 'Renamed' }) },
  deleteAccount: write,
  readUserQuotas: read,
  readStorage: platformRead,
  listOwnQuotaRequests: read,
  requestQuotas: { ...platformWrite, body: () => ({ maxAccounts: 30 }) },
  readRegionQuotas: read,
  listRegions: read,

  createProvisioningProfile: {
    ...platformWrite,
    body: () => ({ name: 'Third', platform: 'p5', kind: 'simulated' }),
  },
  listProvisioningProfiles: platformRead,
  readProvisioningProfile: platformRead,
  updateProvisioningProfile: { ...platformWrite, body: () => ({ name: 'Renamed' }) },
  deleteProvisioningProfile: platformWrite,
  readP4Symbols: platformRead,
  readP4Account: platformRead,
  readP4AccountByPost: platformRead,
  readP4AccountInformation: platformRead,
  readP4AccountInformationByPost: platformRead,
  readP4GroupAccounts: platformRead,
  readP4GroupAccountsByPost: platformRead,
  readP5Account: platformRead,
  readP5AccountByPost: platformRead,
  readP5AccountInformation: platformRead,
  readP5AccountInformationByPost: platformRead,
  readP5GroupAccounts: platformRead,
  readP5GroupAccountsByPost: platformRead,
  createP4Account: {
    ...platformWrite,
    body: () => ({ email: 'a@example.com', group: 'demo-usd', leverage: 100 }),
  },
  createP5Account: {
    ...platformWrite,
    body: () => ({ email: 'a@example.com', group: 'demo\\usd', leverage: 100 }),
  },
  readP4Groups: platformRead,
  readP5Groups: platformRead,
  readP5Symbols: platformRead,
  readP4AccountSettings: platformRead,
  readP5AccountSettings: platformRead,
  readP4Positions: platformRead,
  readP5Positions: platformRead,
  readP4PendingOrders: platformRead,
  readP5PendingOrders: platformRead,
  changeP4Account: changeAccount,
  changeP5Account: changeAccount,
  setP4AccountPassword: setPassword,
  setP5AccountPassword: setPassword,
  createP4BalanceOperation: moveMoney,
  createP5BalanceOperation: moveMoney,
  closeP4Positions: closePositions,
  closeP5Positions: closePositions,

  recordDeals: {
    scope: 'ingest',
    body: () => [
      { id: '1', type: 'DEAL_TYPE_BALANCE', profit: 5, brokerTime: '2026-03-02 09:00:00' },
    ],
  },
  listDeals: read,
  correctDeal: {
    ...write,
    body: () => ({ type: 'DEAL_TYPE_BALANCE', profit: 6, brokerTime: '2026-03-02 09:00:00' }),
  },
  deleteDeal: write,
  settleConflict: { scope: 'write', body: () => ({ keep: 'stored' }) },
  startFromStatement: {
    ...platformWrite,
    body: () => readFileSync(STATEMENT),
  },
  importStatement: { scope: 'ingest', query: '?force=true', body: () => readFileSync(STATEMENT) },
  listImports: read,
  readImport: read,
  deleteImport: write,
  readMetrics: read,
  readMetricsTable: { ...read, query: '?by=symbol' },
  exportHistory: read,
  readOpenTrades: read,
  readHistoricalTrades: read,
  searchTrades: read,
  putMarket: { scope: 'ingest', body: () => MARKET },
  calculateMargin: {
    scope: 'read',
    body: () => ({ symbol: 'EURUSD', type: 'ORDER_TYPE_BUY', volume: 1, openPrice: 1.1 }),
  },

  recordSnapshots: {
    scope: 'ingest',
    body: ({ otherAccountId }) => [snapshot(otherAccountId, 2, 10_000)],
  },
  readEquityChart: read,
  readCombinedCurve: {
    ...{ ...read, byAccountToken: 404 },
    query: ({ accountId }) => `?accountId=${accountId}&currency=USD`,
  },
  readEquityDrawdown: read,
  readLimitSteps: read,
  readAccountStanding: read,
  createTracker: { ...write, body: () => tracker('new') },
  previewTracker: { ...read, body: () => tracker('preview') },
  listTrackers: read,
  readTracker: read,
  readTrackerByName: read,
  renameTracker: { ...write, body: () => ({ name: 'renamed' }) },
  deleteTracker: write,
  readTrackerStatistics: read,
  streamDrawdownEvents: eventStream,
  streamTrackerEvents: eventStream,
  readTrackerEventsByBrokerTime: read,
  readEvidence: read,
  readCase: read,
  listSeals: platformRead,
  listIncidents: read,
  readIncident: read,
  listIncidentEntries: read,
  handleIncidents: {
    ...{ scope: 'write', byAccountToken: 404 },
    body: ({ sequenceNumber }) => ({ ids: [Number(sequenceNumber)], acknowledged: true }),
  },
  listBreachActions: platformRead,
  readBreachActionState: platformRead,
  retryBreachActions: { ...platformWrite, body: () => ({}) },
  readBreachActionSwitch: admin,
  setBreachActionSwitch: { ...admin, body: () => ({ enabled: true }) },
  followDrawdownEvents: read,
  followTrackerEvents: read,
  followStanding: read,
  listPrograms: read,
  createProgram: { ...platformWrite, body: () => PROGRAM },
  readProgram: read,
  updateProgram: { ...platformWrite, body: () => PROGRAM },
  deleteProgram: platformWrite,
  listProgramEnrolments: read,
  listEnrolments: read,
  createEnrolment: { ...write, body: enrol },
  readEnrolment: read,
  changeEnrolment: { ...write, body: () => ({ state: 'paused' }) },
  previewEnrolment: { ...read, body: enrol },
  createWebhook: { ...platformWrite, body: () => ({ url: 'https://hooks.example.com/y' }) },
  listWebhooks: platformRead,
  deleteWebhook: platformWrite,
  testWebhook: platformWrite,
  listDeadLetters: platformRead,
  replayDeadLetters: { ...platformWrite, body: () => ({}) },
};

const family = (path: string): 'p4' | 'p5' => (path.includes('/p4/') ? 'p4' : 'p5');

/** Path parameters by the segment before them: the owner's own things. */
const PARAMETERS: Record<string, (world: World, path: string) => string> = {
  'accounts/{accountId}': (world) => world.accountId,
  'trackers/{id}': (world) => world.trackerId,
  'deals/{dealId}': (world) => world.dealId,
  'imports/{importId}': (world) => world.importId,
  'conflicts/{place}': () => '0',
  'exports/{what}': () => 'deals',
  'name/{name}': (world) => world.trackerName,
  'tracker-events/{sequenceNumber}': (world) => world.sequenceNumber,
  'webhooks/{id}': (world) => world.webhookId,
  'provisioning-profiles/{profileId}': (world, path) => world.profiles[family(path)],
  'accounts/{login}': (_, path) => (family(path) === 'p4' ? '100001' : '200001'),
  'groups/{groupName}': (_, path) => (family(path) === 'p4' ? 'demo-usd' : 'demo\\usd'),
  'historical-trades/{startTime}': () => '2026-01-01 00:00:00',
  '{startTime}/{endTime}': () => '2027-01-01 00:00:00',
  'regions/{region}': () => 'main',
  'users/{userId}': (world, path) =>
    path === '/admin/users/{userId}' ? world.spareUserId : world.owner.userId,
  'tokens/{id}': (world, path) =>
    path.startsWith('/admin') ? world.spareTokenId : world.ownTokenId,
  'sessions/{id}': (world) => world.sessionId,
  'people/{id}': (world) => world.people.viewer.id,
  'account-views/{name}': () => 'Matrix',
  'rule-templates/{name}': () => 'Matrix',
  'table-mappings/{name}': () => 'Matrix',
  'programs/{programId}': (world) => world.spareProgramId,
  'enrolments/{enrolmentId}': (world) => world.enrolmentId,
  'incidents/{id}': (world) => world.sequenceNumber,
  'quota-requests/{id}': (world) => world.quotaRequestId,
  'mail/{id}': (world) => world.mailId,
};

/** The owner of things: the same path with a missing id must answer the same. */
export const OWNED = [
  'accounts/{accountId}',
  'provisioning-profiles/{profileId}',
  'webhooks/{id}',
  'tracker-events/{sequenceNumber}',
  'incidents/{id}',
  'programs/{programId}',
  'tokens/{id}',
  'sessions/{id}',
  'people/{id}',
] as const;

export const parametersOf = (path: string): string[] =>
  [
    ...path.matchAll(/(?<=\/)([^/]+\/\{\w+\})/g),
    ...path.matchAll(/(?<=\/)(\{\w+\}\/\{\w+\})/g),
  ].map((match) => match[1] ?? '');

export const hasFixture = (parameter: string): boolean => parameter in PARAMETERS;

/** The path for the owner's things, those in `others` replaced. */
export function pathOf(
  { id, path }: Operation,
  world: World,
  others: Record<string, string> = {},
): string {
  const segments = path.split('/').map((segment, index, all) => {
    if (!segment.startsWith('{')) return segment;
    const parameter = `${all[index - 1]}/${segment}`;
    const value = others[parameter] ?? PARAMETERS[parameter]?.(world, path) ?? '';
    return encodeURIComponent(value);
  });
  const { query = '' } = ROWS[id] ?? {};
  return segments.join('/') + (typeof query === 'string' ? query : query(world));
}
