import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { EXAMPLES_FILE, type Example, readExamples } from '../../src/contract/examples.ts';
import { type Operation, usualStatus } from '../../src/contract/operation.ts';
import { OPERATIONS } from '../../src/contract/operations.ts';
import { formatBrokerTime } from '../../src/domain/broker-time.ts';
import { fromUnits, fromVolume } from '../../src/domain/money.ts';
import { readStatement } from '../../src/statements/read-statement.ts';
import { needs } from '../needs.ts';
import { assertAuditFits } from '../servers/audit-fits.ts';
import { ADMIN_TOKEN, Client, startOn, type TestServer } from '../servers/plimsoll-process.ts';
import { until } from '../servers/until.ts';
import { isRecord, StableValues } from './stable-values.ts';

needs('server');

/**
 * Sends the examples of the reference, in their order, to a server, and compares its answers with
 * the recorded ones. `npm run record-examples` rewrites them; a new example has a request, and gets
 * its answer so.
 */
const IS_RECORDING = process.argv.includes('--record');
/** An answer that stays the same so long is the one: mail is looked for every two seconds. */
const SETTLED_MS = IS_RECORDING ? 4000 : 30_000;
const EXAMPLES = readExamples();
const STATEMENT = new URL(
  '../../src/demo/statements/p5-hedging-eurusd-gbpusd.xlsx',
  import.meta.url,
);
const P4_PROFILE = {
  ...{ name: 'Simulated p4 platform', platform: 'p4', kind: 'simulated' },
  allowedActions: ['changeLeverage', 'setPassword', 'balanceOperation', 'closePositions'],
};

/**
 * These depend on the day, as all of the simulated platforms, or show what this story lacks: their
 * fields and types are compared, and the recording may show more.
 */
const isMoving = (id: string): boolean => /P[45]/.test(id) || MOVING.has(id);
const MOVING = new Set([
  ...['testWebhook', 'readOpenTrades', 'listBreachActions', 'listIncidents'],
  ...['listTokens', 'listOwnTokens', 'listSessions'],
]);

describe('the examples of the reference', () => {
  let running: TestServer;
  let operator: Client;
  let user: Client;
  const values = new StableValues();
  const recorded: Record<string, Example> = {};
  before(async () => {
    running = await startOn('sqlite', {
      PLIMSOLL_SECRET_KEY: randomBytes(32).toString('base64'),
    });
    operator = new Client(running.server.address, ADMIN_TOKEN);
    user = operator;
  });
  after(async () => {
    await running.close();
    if (IS_RECORDING) record(recorded);
  });

  const call = async ({ operationId, method, path, scope, streams }: Operation) => {
    const {
      params = {},
      query = {},
      headers = {},
      body,
    } = values.real(EXAMPLES[operationId] ?? {});
    const place = path.replaceAll(/:(\w+)/g, (_, name) => encodeURIComponent(params[name] ?? ''));
    const texts = Object.entries(query).map(([name, value]) => [name, String(value)]);
    const search = texts.length > 0 ? `?${new URLSearchParams(texts)}` : '';
    const own = Object.entries(headers).map(([name, value]) => [name, String(value)]);
    const client = scope === 'admin' ? operator : user;
    const extra: Record<string, string> = Object.fromEntries(own);
    if (streams) return { status: 200, body: await firstEvent(client, place + search, extra) };
    const isFile = operationId === 'importStatement' || operationId === 'startFromStatement';
    const file = isFile ? readFileSync(STATEMENT) : body;
    return client.call(method, place + search, file, extra);
  };

  /** The statement that is imported next states another profit of this deal. */
  const recordOtherProfit = async () => {
    const { deals } = await readStatement(readFileSync(STATEMENT), { moneyDigits: 4 });
    const closing = deals.find(({ entry }) => entry === 'DEAL_ENTRY_OUT');
    assert.ok(closing);
    const { id, type, symbol, price, volume, profit, timeMs } = closing;
    const { status } = await user.post('/users/current/accounts/challenge-1/deals', [
      {
        ...{ id, type, entry: 'DEAL_ENTRY_OUT', symbol, price, volume: fromVolume(volume) },
        ...{ profit: fromUnits(profit, 4) + 1, brokerTime: formatBrokerTime(timeMs) },
      },
    ]);
    assert.equal(status, 200);
  };

  for (const [id, example] of Object.entries(EXAMPLES)) {
    it(`${id} is answered as recorded`, async () => {
      const operation = OPERATIONS.find(({ operationId }) => operationId === id);
      assert.ok(operation, 'there is no such operation');
      if (id === 'readP4Symbols') await makeP4Profile();
      if (id === 'importStatement') await recordOtherProfit();
      const answer = await settled(operation, example);
      if (id === 'createToken') user = new Client(running.server.address, tokenIn(answer.body));
      const stable = values.stable(answer.body, example.answer, id);
      recorded[id] = isSame(id, stable, example) ? example : { ...example, answer: stable };
      if (IS_RECORDING) return;
      if (isMoving(id)) assert.deepEqual(differences(stable, example.answer, 'answer'), []);
      else assert.deepEqual(stable, example.answer);
    });
  }

  it('are told in the audit as the schemas of its actions say', () => assertAuditFits(operator));

  /** Its answer once it is the recorded one, or, when recording, once it stays the same. */
  const settled = async (operation: Operation, example: Example) => {
    const { operationId: id, method } = operation;
    const status = usualStatus(operation);
    const mayRepeat = method === 'GET' || id.startsWith('preview');
    let last: unknown;
    let sinceMs = performance.now();
    let answer = await call(operation);
    await until(async () => {
      const isDone = answer.status === status;
      // Other work is running: trades are computed, a mail is being sent.
      const isPending = answer.status === 202 || answer.status === 409;
      assert.ok(isDone || isPending, JSON.stringify(answer.body));
      const stable = values.stable(answer.body, example.answer, id);
      if (!isDeepStrictEqual(stable, last)) sinceMs = performance.now();
      last = stable;
      const isSettled =
        !mayRepeat || isSame(id, stable, example) || performance.now() - sinceMs > SETTLED_MS;
      if (isDone && isSettled) return true;
      answer = await call(operation);
      return false;
    }, id);
    return answer;
  };

  /** The story has two platforms; the example makes the one of the other family. */
  const makeP4Profile = async (): Promise<void> => {
    const path = '/users/current/provisioning-profiles';
    const { body } = await user.post<{ id: string }>(path, P4_PROFILE);
    values.name(String(EXAMPLES.readP4Symbols?.params?.profileId), body.id);
  };
});

const tokenIn = (answer: unknown): string => (answer as { token: string }).token;

const isSame = (id: string, answer: unknown, { answer: recorded }: Example): boolean =>
  isMoving(id)
    ? differences(answer, recorded, '').length === 0
    : isDeepStrictEqual(answer, recorded);

/** In the linter's form. */
function record(examples: Record<string, Example>): void {
  writeFileSync(EXAMPLES_FILE, JSON.stringify(examples));
  execFileSync('npx', ['biome', 'format', '--write', fileURLToPath(EXAMPLES_FILE)]);
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
    return Object.keys(answer).flatMap((key) =>
      differences(answer[key], example[key], `${place}.${key}`),
    );
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
