import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import type { Example } from '../../src/contract/examples/example.ts';
import { EXAMPLES } from '../../src/contract/examples/examples.ts';
import type { Operation } from '../../src/contract/operation.ts';
import { OPERATIONS } from '../../src/contract/operations.ts';
import { ADMIN_TOKEN, Client, startOn, type TestServer } from '../servers/plimsoll-process.ts';
import { until } from '../servers/until.ts';

const STATEMENT = new URL(
  '../../src/demo/statements/p5-hedging-eurusd-gbpusd.xlsx',
  import.meta.url,
);
const P4_PROFILE = {
  ...{ name: 'Simulated p4 platform', platform: 'p4', kind: 'simulated' },
  allowedActions: ['changeLeverage', 'setPassword', 'balanceOperation', 'closePositions'],
};
/** Their lists fill with the next checkpoint, or when a mail is settled. */
const SETTLE = new Set([
  ...['readTrackerStatistics', 'readEquityChart', 'readAccountsOverview', 'readEvidence'],
  ...['previewTracker', 'readMetrics', 'listMail', 'readEquityDrawdown', 'readLimitSteps'],
  ...['readAccountStanding', 'listIncidents', 'readIncident', 'searchTrades'],
  ...['readEnrolment', 'previewEnrolment'],
]);

const actionsOn = (family: 'P4' | 'P5'): string[] => [
  ...[`read${family}Groups`, `read${family}AccountSettings`, `change${family}Account`],
  ...[`set${family}AccountPassword`, `create${family}BalanceOperation`, `read${family}Positions`],
  ...[`read${family}PendingOrders`, `close${family}Positions`],
];

/** In the order of the story that they tell: what is there is made by those before. */
const STORY = [
  ...['readLiveness', 'readReadiness', 'createUser', 'listUsers', 'createToken', 'listTokens'],
  ...['listOwnTokens', 'createOwnToken', 'deleteOwnToken'],
  ...['setQuotas', 'readCurrentToken', 'listRegions', 'readRegionQuotas'],
  ...['createProvisioningProfile', 'listProvisioningProfiles', 'readProvisioningProfile'],
  ...['readP4Symbols', 'readP4Account', 'readP5Account', 'readP4AccountInformation'],
  ...['readP5AccountInformation', 'readP4GroupAccounts', 'readP5GroupAccounts'],
  ...['readP5Symbols', 'updateProvisioningProfile', ...actionsOn('P4'), ...actionsOn('P5')],
  ...['createP4Account', 'createP5Account', 'createAccount', 'listAccounts', 'readAccount'],
  ...['listAccountLabels', 'labelAccounts', 'saveAccountView', 'listAccountViews'],
  ...['deleteAccountView', 'saveRuleTemplate', 'listRuleTemplates', 'deleteRuleTemplate'],
  ...['createProgram', 'listPrograms', 'readProgram', 'updateProgram'],
  ...['updateAccount', 'createTracker', 'listTrackers', 'readTracker', 'readTrackerByName'],
  ...['createEnrolment', 'listEnrolments', 'listProgramEnrolments'],
  ...['recordDeals', 'listDeals', 'recordSnapshots', 'streamDrawdownEvents', 'streamTrackerEvents'],
  ...['followDrawdownEvents', 'followTrackerEvents', 'readTrackerEventsByBrokerTime'],
  ...['readEvidence', 'readCase', 'listSeals', 'readEvidenceKey'],
  ...['listIncidents', 'handleIncidents', 'readIncident'],
  ...['listBreachActions', 'readBreachActionState', 'retryBreachActions'],
  ...['readBreachActionSwitch', 'setBreachActionSwitch', 'setEventMail', 'readEventMail'],
  ...['readTrackerStatistics', 'readEquityChart', 'previewTracker'],
  ...['readEnrolment', 'previewEnrolment', 'changeEnrolment'],
  ...['readEquityDrawdown', 'readLimitSteps', 'readAccountStanding'],
  ...[
    'readAccountsOverview',
    'readAccountTotals',
    'readHistoricalTrades',
    'searchTrades',
    'readOpenTrades',
    'readMetrics',
  ],
  ...['correctDeal', 'deleteDeal', 'putMarket', 'calculateMargin', 'importStatement'],
  ...['listImports', 'readImport', 'deleteImport', 'renameTracker', 'createWebhook'],
  ...['listWebhooks', 'testWebhook', 'listDeadLetters', 'replayDeadLetters', 'readUserQuotas'],
  ...['requestQuotas', 'listOwnQuotaRequests'],
  ...['listQuotaRequests', 'decideQuotaRequest', 'listAudit', 'listMail', 'resendMail'],
  ...['deleteWebhook', 'deleteTracker', 'deleteAccount', 'deleteProgram'],
  ...['deleteProvisioningProfile', 'deleteToken', 'deleteUser'],
];

describe('the examples of the reference', () => {
  let running: TestServer;
  let operator: Client;
  let user: Client;
  /** What the examples call something, and what it is called here. */
  const names = new Map<string, string>();
  before(async () => {
    running = await startOn('sqlite', {
      PLIMSOLL_SECRET_KEY: randomBytes(32).toString('base64'),
    });
    operator = new Client(running.server.address, ADMIN_TOKEN);
    user = operator;
  });
  after(() => running.close());

  const call = async ({ operationId, method, path, scope, streams }: Operation) => {
    const { params = {}, query = {}, headers = {}, body } = named(EXAMPLES[operationId] ?? {});
    const place = path.replaceAll(/:(\w+)/g, (_, name) => encodeURIComponent(params[name] ?? ''));
    const texts = Object.entries(query).map(([name, value]) => [name, String(value)]);
    const search = texts.length > 0 ? `?${new URLSearchParams(texts)}` : '';
    const own = Object.entries(headers).map(([name, value]) => [name, String(value)]);
    const client = scope === 'admin' ? operator : user;
    const extra: Record<string, string> = Object.fromEntries(own);
    if (streams) return { status: 200, body: await firstEvent(client, place + search, extra) };
    const file = operationId === 'importStatement' ? readFileSync(STATEMENT) : body;
    return client.call(method, place + search, file, extra);
  };
  const named = (example: Example): Example => {
    let text = JSON.stringify(example);
    for (const [written, real] of names) text = text.replaceAll(written, real);
    return JSON.parse(text) as Example;
  };

  it('are all in the story', () => {
    const own = OPERATIONS.filter(({ deprecated }) => !deprecated);
    assert.deepEqual([...STORY].sort(), own.map(({ operationId }) => operationId).sort());
  });

  for (const id of STORY) {
    it(`${id} is answered as it says`, async () => {
      const operation = OPERATIONS.find(({ operationId }) => operationId === id);
      assert.ok(operation);
      if (id === 'readP4Symbols') await makeP4Profile();
      const [status] = Object.keys(operation.response).map(Number);
      const example = EXAMPLES[id]?.answer;
      let answer = await call(operation);
      await until(async () => {
        const isSettling =
          SETTLE.has(id) && (isShort(answer.body, example) || isQueued(answer.body));
        if (!isPending(answer, status) && !isSettling) return true;
        answer = await call(operation);
        return false;
      }, id);
      assert.equal(answer.status, status, JSON.stringify(answer.body));
      assert.deepEqual(differences(answer.body, example, 'answer'), []);
      learn(example, answer.body);
      if (id === 'createToken') {
        user = new Client(running.server.address, (answer.body as { token: string }).token);
      }
    });
  }

  /** The story has two platforms; the example makes the one of the other family. */
  const makeP4Profile = async (): Promise<void> => {
    const path = '/users/current/provisioning-profiles';
    const { body } = await user.post<{ id: string }>(path, P4_PROFILE);
    names.set(String(EXAMPLES.readP4Symbols?.params?.profileId), body.id);
  };
  /** Remembers by what ids the example's own ids go here. */
  const learn = (example: unknown, answer: unknown): void => {
    if (typeof example === 'string' && typeof answer === 'string') {
      if (/^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(example)) names.set(example, answer);
    } else if (isRecord(example) && isRecord(answer)) {
      for (const key of Object.keys(example)) learn(example[key], answer[key]);
    }
  };
});

type Fields = Record<string, unknown>;
const isRecord = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

/** Something else goes on: trades are computed, a mail is on its way. */
const isPending = (answer: { status: number }, wanted: number | undefined): boolean =>
  answer.status !== wanted && (answer.status === 202 || answer.status === 409);

/** The first of a list is a mail on its way. */
const isQueued = (answer: unknown): boolean =>
  Array.isArray(answer) && isRecord(answer[0]) && answer[0].state === 'queued';

/** A list is empty that is not so in the example. */
function isShort(answer: unknown, example: unknown): boolean {
  const isEmpty = (value: unknown): boolean => Array.isArray(value) && value.length === 0;
  if (isEmpty(answer)) return !isEmpty(example);
  if (!isRecord(answer) || !isRecord(example)) return false;
  return Object.keys(answer).some((key) => isEmpty(answer[key]) && !isEmpty(example[key]));
}

/**
 * Fields of an answer that its example does not show, and those of another type. An example shows
 * more where a field is optional. Of lists the first items are compared.
 */
function differences(answer: unknown, example: unknown, place: string): string[] {
  if (Array.isArray(answer) && Array.isArray(example)) {
    const canCompare = answer.length > 0 && example.length > 0;
    return canCompare ? differences(answer[0], example[0], `${place}[0]`) : [];
  }
  if (isRecord(answer) && isRecord(example)) {
    // What an entry of the audit tells depends on what was done.
    const fields = Object.keys(answer).filter((key) => key !== 'details');
    return fields.flatMap((key) => differences(answer[key], example[key], `${place}.${key}`));
  }
  const types = [typeof answer, typeof example];
  return types[0] === types[1] ? [] : [`${place} is ${types[0]}, in the example ${types[1]}`];
}

/** Reads a stream up to its first event. */
async function firstEvent(
  client: Client,
  path: string,
  headers: Record<string, string>,
): Promise<string> {
  const gone = new AbortController();
  const response = await fetch(client.address + path, {
    headers: { 'auth-token': client.token ?? '', ...headers },
    signal: gone.signal,
  });
  assert.match(response.headers.get('content-type') ?? '', /^text\/event-stream/);
  let text = '';
  for await (const part of response.body ?? []) {
    text += Buffer.from(part).toString();
    if (/^data: .*\n\n/m.test(text)) break;
  }
  gone.abort();
  return text;
}
