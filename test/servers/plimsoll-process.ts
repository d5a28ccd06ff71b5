import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { given } from '../needs.ts';
import { endWithUs } from './end-with-us.ts';
import { BARE_ENVIRONMENT, BIN } from './plimsoll-bin.ts';
import { openTestDatabase, type TestDatabase } from './test-databases.ts';
import { until } from './until.ts';

export const ADMIN_TOKEN = 'operator-token-of-all-these-tests';

export type PlimsollProcess = {
  address: string;
  process: ChildProcess;
  /** The server's standard error so far. */
  log(): string;
  /** SIGTERM, and the exit code. */
  stop(): Promise<number | null>;
  kill(): Promise<void>;
};

/** The output of a server that ended because its database did not answer for three seconds. */
const NO_ANSWER = /timeout expired|Connection terminated|did not answer within|idle-in-transaction/;
/** As many starts as a supervisor would try while the machine is too busy to answer. */
const STARTS = 5;

/**
 * Starts `plimsoll serve` as its users do and waits until it accepts requests. Test servers of
 * platforms are on this machine, so profiles may reach it.
 */
export async function startPlimsoll(
  environment: Record<string, string>,
  options: readonly string[] = [],
): Promise<PlimsollProcess> {
  for (let starts = 1; ; starts += 1) {
    try {
      return await start(environment, options);
    } catch (error) {
      if (!NO_ANSWER.test(String(error)) || starts === STARTS) throw error;
    }
  }
}

/** Throws with what it logged if it ended instead. */
async function start(
  environment: Record<string, string>,
  options: readonly string[],
): Promise<PlimsollProcess> {
  given('server');
  const child = spawn(process.execPath, [BIN, 'serve', ...options], {
    env: {
      ...BARE_ENVIRONMENT,
      ...{ PORT: '0', PLIMSOLL_ADMIN_TOKEN: ADMIN_TOKEN },
      PLIMSOLL_PRIVATE_PLATFORMS: 'all',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  endWithUs(child);
  const exited = once(child, 'exit');
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log += text;
  });
  const lines = createInterface(child.stdout);
  const listening = once(lines, 'line').then(([line]) => String(line).replace(/^.* on /, ''));
  const address = await Promise.race([listening, exited.then(() => undefined)]);
  if (address === undefined) throw new Error(`plimsoll serve exited:\n${log}`);
  return {
    address,
    process: child,
    log: () => log,
    stop: async () => {
      child.kill('SIGTERM');
      await exited;
      return child.exitCode;
    },
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

/** The server itself gives a statement 180 seconds, and all else less. */
const ANSWER_WITHIN_MS = 240_000;

export type Answer<T = unknown> = { status: number; headers: Headers; body: T };

type Status = { status: number };

/**
 * Repeats the request while the answer is 202, as for a history being folded, or 503, as from a
 * process that still folds the entries of another one, or with too many waiting callers.
 */
export function retry<T extends Status>(ask: () => Promise<T>, what?: string): Promise<T> {
  return askWhile(({ status }) => status === 202 || status === 503, ask, what);
}

async function askWhile<T extends Status>(
  isLater: (answer: T) => boolean,
  ask: () => Promise<T>,
  what = 'an answer',
): Promise<T> {
  let answer = await ask();
  await until(async () => {
    const isWaiting = isLater(answer);
    if (isWaiting) answer = await ask();
    return !isWaiting;
  }, what);
  return answer;
}

/** The output of a server that gave its database or its journal three seconds, in vain. */
const OUTAGE = /^The (database|journal) does not answer; try again later$/;

/** A client of one token. Bodies that are not text or bytes are sent as JSON. */
export class Client {
  readonly address: string;
  readonly token: string | undefined;
  /** Of every request: a browser's. */
  readonly headers: Record<string, string>;

  constructor(address: string, token: string | undefined, headers: Record<string, string> = {}) {
    this.address = address;
    this.token = token;
    this.headers = headers;
  }

  /**
   * Retries, as asked, while the database does not answer: on a machine that is busy with other
   * tests it may take seconds for anything. Tests of outages call `callOnce`.
   */
  call<T = unknown>(...request: Parameters<Client['callOnce']>): Promise<Answer<T>> {
    const isOutage = ({ status, body }: Answer<T>): boolean => {
      const isSaid = status === 503 && OUTAGE.test(messageOf(body));
      if (isSaid) console.error(`${request[0]} ${request[1]}: ${messageOf(body)}`);
      return isSaid;
    };
    return askWhile(isOutage, () => this.callOnce<T>(...request), 'a database that answers');
  }

  async callOnce<T = unknown>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer<T>> {
    const raw = typeof body === 'string' || body instanceof Uint8Array;
    const type = raw ? 'application/octet-stream' : 'application/json';
    const request: RequestInit = {
      method,
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
      headers: {
        ...(this.token === undefined ? {} : { 'auth-token': this.token }),
        ...(body === undefined ? {} : { 'content-type': type }),
        ...this.headers,
        ...headers,
      },
      ...(body === undefined
        ? {}
        : { body: raw ? (body as NonNullable<RequestInit['body']>) : JSON.stringify(body) }),
    };
    try {
      const response = await fetch(this.address + path, request);
      const text = await response.text();
      return { status: response.status, headers: response.headers, body: parse(text) as T };
    } catch (error) {
      if (!request.signal?.aborted) throw error;
      throw new Error(`${method} ${path}: no answer within ${ANSWER_WITHIN_MS} ms`);
    }
  }

  get<T = unknown>(path: string): Promise<Answer<T>> {
    return this.call<T>('GET', path);
  }

  /** The body of a current answer. */
  async asOfNow<T = unknown>(path: string): Promise<T> {
    const answer = await retry(() => this.get<T>(path), path);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return answer.body;
  }

  post<T = unknown>(
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer<T>> {
    return this.call<T>('POST', path, body, headers);
  }
}

const messageOf = (body: unknown): string =>
  (body as { message?: string } | undefined)?.message ?? '';

function parse(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

let users = 0;

/** A separate user, with a token. */
export async function newUser(
  address: string,
  token: Record<string, unknown> = {},
): Promise<Client & { userId: string }> {
  const admin = new Client(address, ADMIN_TOKEN);
  users += 1;
  const email = `user-${process.pid}-${users}@example.com`;
  const user = await admin.post<{ id: string }>('/admin/users', { email });
  assert.equal(user.status, 201, JSON.stringify(user.body));
  const made = await admin.post<{ token: string }>(`/admin/users/${user.body.id}/tokens`, token);
  assert.equal(made.status, 201, JSON.stringify(made.body));
  return Object.assign(new Client(address, made.body.token), { userId: user.body.id });
}

/** An account of the client's user; its id. */
export async function newAccount(
  client: Client,
  fields: Record<string, unknown> = {},
): Promise<string> {
  const account = {
    name: 'Test account',
    platform: 'p5',
    login: '1001',
    broker: 'Test broker',
    currency: 'USD',
    leverage: 100,
    ...fields,
  };
  const answer = await client.post<{ id: string }>('/users/current/accounts', account);
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return answer.body.id;
}

export type TestServer = {
  server: PlimsollProcess;
  database: TestDatabase;
  close(): Promise<void>;
};

/** A server on a database of its own. */
export async function startOn(
  kind: 'sqlite' | 'postgres',
  environment: Record<string, string> = {},
): Promise<TestServer> {
  const database = await openTestDatabase(kind);
  const server = await startPlimsoll({ ...database.environment, ...environment });
  return {
    server,
    database,
    close: async () => {
      await server.stop();
      await database.close();
    },
  };
}
