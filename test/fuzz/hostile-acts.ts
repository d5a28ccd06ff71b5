import { readFileSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import { bodyLimitOf } from '../../src/contract/body-limit.ts';
import type { Operation } from '../../src/contract/operation.ts';
import { OPERATIONS } from '../../src/contract/operations.ts';
import type { Client } from '../servers/plimsoll-process.ts';
import type { Random } from '../simulation/random.ts';
import { type Answer, HostileConnection } from './hostile-connection.ts';
import type { Schema } from './values.ts';
import { worstBodies } from './worst-bodies.ts';
import { worstFiles } from './worst-files.ts';

/** An attacker: a token of a user, and an account of that user. */
export type Attacker = { user: Client & { userId: string }; token: string; accountId: string };
export type Storm = {
  address: string;
  operator: Client;
  random: Random;
  /** Work that takes as long as a heartbeat, and is awaited at the end. */
  later: Promise<void>[];
};
type Act = (storm: Storm, attacker: Attacker) => Promise<void>;

const demo = (name: string): Uint8Array =>
  readFileSync(new URL(`../../src/demo/statements/${name}`, import.meta.url));
const STATEMENTS = [demo('p4-statement.htm'), demo('p5-hedging-eurusd-gbpusd.xlsx')];
const FILES = worstFiles();
const FILE_TYPE = 'application/octet-stream';
const LONGEST_BYTES = 16 * 1024 * 1024;
const LENGTHS = [1000, 100_000, 1_000_000, LONGEST_BYTES];
const JSON_BODIES = OPERATIONS.filter(({ body, base }) => body && base !== 'admin');

const head = (method: string, path: string, token: string, headers: string[] = []): string =>
  [`${method} ${path} HTTP/1.1`, 'host: x', `auth-token: ${token}`, ...headers, '', ''].join(
    '\r\n',
  );
const get = (path: string, token: string): string => head('GET', path, token);
const post = (path: string, token: string, body: Uint8Array | string, type: string): Buffer => {
  const bytes = Buffer.from(body);
  const headers = [`content-type: ${type}`, `content-length: ${bytes.length}`];
  return Buffer.concat([Buffer.from(head('POST', path, token, headers)), bytes]);
};
const ofAccount = ({ accountId }: Attacker, rest: string): string =>
  `/users/current/accounts/${accountId}/${rest}`;
const pollPath = (seconds: number): string =>
  `/users/current/tracker-events/stream?wait=${seconds}`;
const LIVE = '/users/current/tracker-events/live';

/** Input is refused with 4xx; only requests without a place are told to retry, and when. */
function judge(answers: readonly Answer[]): void {
  for (const { status, head: text } of answers) {
    const isLater = status === 503 && /^retry-after: \d+/im.test(text);
    if (status >= 500 && !isLater) throw new Error(`answered ${text}`);
  }
}

/** Sends requests on one connection, and stays for the answers or goes in the middle of them. */
async function exchange(
  { address, random }: Storm,
  requests: (string | Uint8Array)[],
  stays: number | 'goes',
): Promise<void> {
  const connection = await HostileConnection.open(address);
  for (const request of requests) connection.write(request);
  if (stays === 'goes') for (let turns = random.between(0, 40); turns > 0; turns -= 1) await turn();
  else judge(await connection.answers(stays));
  connection.leave(random);
}

/** The worst body of an operation, of a length that it takes or not. */
function worstRequest({ random }: Storm, attacker: Attacker): Buffer {
  const operation: Operation = random.pick(JSON_BODIES);
  const bytes = Math.min(random.pick(LENGTHS), bodyLimitOf(operation) + 1);
  const schema = JSON.parse(JSON.stringify(operation.body)) as Schema;
  const { type, make } = random.pick(worstBodies(schema, bytes));
  const path = operation.path.replace(':accountId', attacker.accountId).replaceAll(/:\w+/g, 'none');
  const body = make();
  const headers = [`content-type: ${type}`, `content-length: ${body.length}`];
  return Buffer.concat([Buffer.from(head(operation.method, path, attacker.token, headers)), body]);
}

const snapshotRows = (attacker: Attacker, random: Random, rows: number): string => {
  const second = (n: number): string => String(n % 60).padStart(2, '0');
  const day = String(random.between(1, 28)).padStart(2, '0');
  return Array.from({ length: rows }, (_, n) =>
    JSON.stringify({
      accountId: attacker.accountId,
      brokerTime: `2026-02-${day} 10:${second(n / 60)}:${second(n)}`,
      balance: 10_000,
      equity: random.between(0, 20_000),
    }).replace(/\.\d+:/, ':'),
  ).join('\n');
};
const snapshots = (attacker: Attacker, random: Random): Buffer =>
  post(
    '/users/current/snapshots',
    attacker.token,
    snapshotRows(attacker, random, random.pick([1, 400, 5000])),
    'application/x-ndjson',
  );
const statement = (attacker: Attacker, file: Uint8Array): Buffer =>
  post(ofAccount(attacker, 'statements'), attacker.token, file, FILE_TYPE);
const chunkedHead = (attacker: Attacker): string =>
  head('POST', ofAccount(attacker, 'statements'), attacker.token, [
    `content-type: ${FILE_TYPE}`,
    'transfer-encoding: chunked',
  ]);

/** All acts of an attacker here, by name. */
export const ACTS: Record<string, Act> = {
  async 'the worst body'(storm, attacker) {
    await exchange(storm, [worstRequest(storm, attacker)], 1);
  },
  async 'a body that is cut'(storm, attacker) {
    const { random } = storm;
    const whole = random.pick([
      () => worstRequest(storm, attacker),
      () => snapshots(attacker, random),
      () => statement(attacker, random.pick(STATEMENTS)),
    ])();
    const cut = random.between(20, whole.length - 1);
    await exchange(storm, [whole.subarray(0, cut)], 'goes');
  },
  async 'a slow body'(storm, attacker) {
    const { random } = storm;
    const connection = await HostileConnection.open(storm.address);
    const whole = snapshots(attacker, random);
    const part = Math.ceil(whole.length / 20);
    const last = random.chance(0.5) ? whole.length : whole.length - 1;
    for (let at = 0; at < last; at += part) {
      connection.write(whole.subarray(at, Math.min(last, at + part)));
      await storm.operator.get('/health/live');
    }
    if (last === whole.length) judge(await connection.answers(1));
    connection.leave(random);
  },
  async 'requests behind a poll'(storm, attacker) {
    const { random } = storm;
    const behind = Array.from({ length: random.between(1, 30) }, () =>
      random.pick([
        () => get(LIVE, attacker.token),
        () => get(pollPath(20), attacker.token),
        () => get(ofAccount(attacker, 'metrics'), attacker.token),
        () => snapshots(attacker, random),
        () => statement(attacker, Buffer.alloc(0)),
        () => worstRequest(storm, attacker),
      ])(),
    );
    await exchange(storm, [get(pollPath(20), attacker.token), ...behind], 'goes');
  },
  async 'answers behind a poll'(storm, attacker) {
    const behind = Array.from({ length: 10 }, () => snapshots(attacker, storm.random));
    await exchange(storm, [get(pollPath(1), attacker.token), ...behind], 11);
  },
  async 'empty statements'(storm, attacker) {
    const empty = [statement(attacker, Buffer.alloc(0)), `${chunkedHead(attacker)}0\r\n\r\n`];
    await exchange(storm, [...empty, ...empty, ...empty], 6);
  },
  async 'a hostile statement'(storm, attacker) {
    const { random } = storm;
    const file = statement(attacker, random.pick(FILES).make());
    await exchange(storm, [file], random.chance(0.5) ? 1 : 'goes');
  },
  async 'a good statement'(storm, attacker) {
    const { random } = storm;
    const file = statement(attacker, random.pick(STATEMENTS));
    await exchange(storm, [file], random.chance(0.5) ? 1 : 'goes');
  },
  async 'streams that are left'(storm, attacker) {
    const { random } = storm;
    await Promise.all(
      Array.from({ length: 20 }, () =>
        exchange(storm, [get(LIVE, attacker.token)], random.chance(0.5) ? 1 : 'goes'),
      ),
    );
  },
  async 'a token that is revoked'(storm, { user }) {
    const path = `/admin/users/${user.userId}/tokens`;
    const { body } = await storm.operator.post<{ id: string; token: string }>(path, {});
    const [stream, poll] = await Promise.all(
      [get(LIVE, body.token), get(pollPath(60), body.token)].map(async (request) => {
        const connection = await HostileConnection.open(storm.address);
        connection.write(request);
        return connection;
      }),
    );
    await stream?.answers(1);
    const { status } = await storm.operator.call('DELETE', `/admin/tokens/${body.id}`);
    if (status !== 204) throw new Error(`the token was not revoked: ${status}`);
    storm.later.push(
      (async () => {
        await stream?.untilClosed();
        const [answer] = (await poll?.answers(1)) ?? [];
        // A late poll is refused at once.
        if (answer?.status !== 401) throw new Error(`the poll was answered ${answer?.head}`);
        poll?.leave(storm.random);
      })(),
    );
    const refused = post('/users/current/snapshots', body.token, '[]', 'application/json');
    await exchange(storm, [refused], 1);
  },
  async 'answers that are not taken'(storm, attacker) {
    const { random } = storm;
    const request = random.pick([
      get('/openapi.json', attacker.token),
      get('/users/current/accounts', attacker.token),
      get(ofAccount(attacker, 'metrics'), attacker.token),
      get(ofAccount(attacker, 'historical-trades/2000-01-01/2100-01-01'), attacker.token),
    ]);
    const requests = Array.from({ length: random.between(1, 50) }, () => request);
    await exchange(storm, requests, random.chance(0.5) ? 1 : 'goes');
  },
  async 'previews and statistics'(storm, attacker) {
    const { random } = storm;
    const tracker = { name: 'x', period: 'day', relativeDrawdownThreshold: 0.1 };
    const request = random.pick([
      post(
        ofAccount(attacker, 'trackers/preview'),
        attacker.token,
        JSON.stringify(tracker),
        'application/json',
      ),
      get(ofAccount(attacker, 'metrics'), attacker.token),
    ]);
    await exchange(storm, [request, request], random.chance(0.5) ? 2 : 'goes');
  },
  async 'chunks that are wrong'(storm, attacker) {
    const wrong = storm.random.pick(['zz\r\n', '5\r\nab', 'ffff\r\n', '2\r\nabXX0\r\n\r\n']);
    await exchange(storm, [chunkedHead(attacker), wrong], 'goes');
  },
  async snapshots(storm, attacker) {
    await exchange(storm, [snapshots(attacker, storm.random)], 1);
  },
};
