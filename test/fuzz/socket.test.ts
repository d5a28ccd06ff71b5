import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { needs } from '../needs.ts';
import {
  type Client,
  newAccount,
  newUser,
  startOn,
  type TestServer,
} from '../servers/plimsoll-process.ts';
import { until } from '../servers/until.ts';

needs('server');

/** No client here may make the server hold more than this. */
const MAX_RESIDENT_BYTES = 700 * 1024 * 1024;
/** A connection that is not answered or ended by then hangs. */
const HANG_MS = 40_000;

type Exchange = { statuses: number[]; text: string };

describe("abuse of a server's socket", () => {
  let running: TestServer;
  let user: Client;
  let accountId: string;
  before(async () => {
    running = await startOn('sqlite', { LOG_LEVEL: 'error' });
    user = await newUser(running.server.address);
    accountId = await newAccount(user);
  });
  after(() => running.close());

  const open = async (): Promise<Socket> => {
    const { hostname, port } = new URL(running.server.address);
    const socket = connect(Number(port), hostname);
    socket.on('error', () => {});
    await once(socket, 'connect');
    return socket;
  };
  /**
   * Writes the parts and reads until the server ends the connection. Half-closes where no part asks
   * for the end: to a server that is a client that has gone, which need not be answered.
   */
  const exchange = async (...parts: (string | Uint8Array)[]): Promise<Exchange> => {
    const socket = await open();
    for (const part of parts) socket.write(part);
    const isLast = parts.some((part) => Buffer.from(part).includes('connection: close'));
    if (!isLast) socket.end();
    return readAll(socket);
  };
  const head = (line: string, headers: string[] = []): string =>
    [`${line} HTTP/1.1`, 'host: x', `auth-token: ${user.token}`, ...headers, '', ''].join('\r\n');
  const post = (path: string, body: string | Uint8Array, type = 'application/json'): Uint8Array => {
    const bytes = Buffer.from(body);
    const headers = [`content-type: ${type}`, `content-length: ${bytes.length}`];
    return Buffer.concat([
      Buffer.from(head(`POST ${path}`, [...headers, 'connection: close'])),
      bytes,
    ]);
  };
  const refuses = async (
    request: string | Uint8Array,
    why: string,
    status = 400,
  ): Promise<void> => {
    const { statuses, text } = await exchange(request);
    assert.deepEqual(statuses, [status], `${why}: ${text.slice(0, 300)}`);
    const body = text.slice(text.indexOf('\r\n\r\n') + 4);
    const record = JSON.parse(body.slice(body.indexOf('{'), body.lastIndexOf('}') + 1));
    assert.ok(Number.isSafeInteger(record.id) && record.error && record.message, why);
  };
  const lives = async (): Promise<void> => {
    assert.equal((await user.get(`/users/current/accounts/${accountId}`)).status, 200);
  };

  it('refuses anything but HTTP with the error record', async () => {
    await refuses('hello\r\n\r\n', 'no HTTP');
    await refuses(Uint8Array.from([0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3]), 'a TLS greeting');
    await refuses('GET / HTTP/9.9\r\nhost: x\r\n\r\n', 'an unknown version');
    await refuses(`GET / HTTP/1.1\r\nhost: x\r\nbad header\r\n\r\n`, 'a header without a colon');
    await refuses(head('GET /health/live', ['a: \0']), 'NUL in a header');
    await refuses('GET /health/live HTTP/1.1\r\nconnection: close\r\n\r\n', 'no host');
    const expecting = ['expect: a-miracle', 'connection: close'];
    await refuses(head('GET /x', expecting), 'an expectation of a path that is not there', 404);
    await refuses(head('POST /x', ['content-length: 1, 2']), 'two lengths');
    await refuses(head('POST /x', ['content-length: -1']), 'a negative length');
    await refuses(
      head('POST /x', ['content-length: 3', 'transfer-encoding: chunked']),
      'a length and chunks at once',
    );
    await lives();
  });

  it('refuses heads and paths that are too long', async () => {
    await refuses(head('GET /', [`x: ${'a'.repeat(100_000)}`]), 'a long header', 431);
    const many = Array.from({ length: 3000 }, (_, index) => `x-${index}: 1`);
    await refuses(head('GET /', many), 'many headers', 431);
    await refuses(head(`GET /${'a'.repeat(100_000)}`), 'a long path', 431);
    const close = ['connection: close'];
    await refuses(head(`GET /users/current/accounts/${'a'.repeat(600)}`, close), 'a long part');
    await lives();
  });

  it('refuses addresses that can not be decoded, and serves odd ones', async () => {
    const close = ['connection: close'];
    const accounts = '/users/current/accounts';
    for (const part of ['%', '%zz', '%ff', '%c0%af', '%ed%a0%80', '%00', 'a%0ab', '%u0041']) {
      await refuses(head(`GET ${accounts}/${part}`, close), part);
    }
    for (const part of ['%2e%2e', '%2f', '..%2f..', '%252e', '%F0%9F%9A%80', '+', ';a=b']) {
      await refuses(head(`GET ${accounts}/${part}`, close), part, 404);
    }
    for (const path of ['//evil.example/', '/..%5c..', '/.git/config']) {
      await refuses(head(`GET ${path}`, close), path, 404);
    }
    await refuses(head('GET /assets/..%2f..%2fpackage.json', close), 'a way out', 403);
    await refuses(head(`GET ${accounts}?limit=1&limit=2`, close), 'a parameter twice');
    await refuses(head(`GET ${accounts}?limit[]=1&limit=1e400`, close), 'a number beyond all');
    await lives();
  });

  it('refuses chunks that are wrong', async () => {
    const chunked = ['transfer-encoding: chunked', 'content-type: application/json'];
    const start = head('POST /users/current/accounts', chunked);
    await refuses(`${start}zz\r\n{}\r\n0\r\n\r\n`, 'a size that is no number');
    await refuses(`${start}FFFFFFFFFFFFFFFFFF\r\n{}\r\n0\r\n\r\n`, 'a size beyond all');
    await refuses(`${start}2\r\n{}XX0\r\n\r\n`, 'a chunk without its end');
    const { statuses } = await exchange(`${start}5\r\n{}`);
    assert.ok(
      statuses.every((status) => status === 400),
      'a chunk that never ends',
    );
    await lives();
  });

  it('refuses bodies that are not good JSON', async () => {
    const paths = ['/users/current/accounts', `/users/current/accounts/${accountId}/deals`];
    const bodies = [
      '',
      '{',
      '[1e400]',
      '{"leverage":1e400}',
      '{"name":"a","name":"b"}',
      '{"__proto__":{"isAdmin":true}}',
      '{"constructor":{"prototype":{"isAdmin":true}}}',
      '"\\u0000"',
      '[{"id":"\\u0000"}]',
      '\u0000',
      '\ufeff[]x',
      Uint8Array.from([0x22, 0xc3, 0x28, 0xff, 0x22]),
      '['.repeat(200_000),
      `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
      `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`,
      `[${'0,'.repeat(9000)}0]`,
    ];
    for (const [index, path] of paths.entries()) {
      for (const body of bodies) {
        // An account takes no body of this length, whatever is in it.
        const isTooLong = index === 0 && body.length > 64 * 1024;
        const what = `${path} ${String(body).slice(0, 40)}`;
        await refuses(post(path, body), what, isTooLong ? 413 : 400);
      }
    }
    await lives();
  });

  it('refuses rows of snapshots that are not good JSON', async () => {
    const rows = [
      '{',
      '[',
      '1e400',
      '"x"',
      'null',
      '{"accountId":"\\u0000"}',
      '\0',
      '{"__proto__":1}',
    ];
    const deep = `{"accountId":${'['.repeat(50_000)}${']'.repeat(50_000)}}`;
    for (const row of [...rows, deep]) {
      const type = 'application/x-ndjson';
      await refuses(post('/users/current/snapshots', `${row}\n`, type), row.slice(0, 40));
    }
    await lives();
  });

  it('accepts a value once if its name occurs twice, and adds nothing to prototypes', async () => {
    const twice =
      '{"name":"first","name":"second","platform":"p5","login":"1","broker":"b","currency":"USD","leverage":1}';
    const { statuses } = await exchange(post('/users/current/accounts', twice));
    assert.deepEqual(statuses, [201]);
    const accounts =
      await user.get<{ name: string; isAdmin?: boolean }[]>('/users/current/accounts');
    assert.ok(accounts.body.some(({ name }) => name === 'second'));
    assert.ok(accounts.body.every((account) => account.isAdmin === undefined));
  });

  it('answers pipelined requests one by one, in their order', async () => {
    const one = head('GET /health/live');
    const other = head(`GET /users/current/accounts/none`);
    const last = head('GET /health/live', ['connection: close']);
    const { statuses } = await exchange(`${one}${other}`.repeat(50), last);
    assert.deepEqual(statuses, [...Array.from({ length: 50 }, () => [200, 404]).flat(), 200]);
  });

  it('ends a connection that pipelines without end, after the answers that it may have', async () => {
    for (const path of ['/health/live', `/users/current/accounts/${accountId}`]) {
      const { statuses } = await exchange(head(`GET ${path}`).repeat(500));
      assert.ok(statuses.length <= 128, `${statuses.length}`);
    }
    await lives();
    // Requests of a client that has gone are not begun.
    assert.equal(running.server.log().includes('"status":500'), false);
  });

  it('stays ready for others while many clients send nothing, or slowly', async () => {
    const slow = await Promise.all(Array.from({ length: 300 }, open));
    slow.forEach((socket, index) => {
      if (index % 3 === 0) socket.write('GET /health/live HTTP/1.1\r\nhost:');
      if (index % 3 === 1)
        socket.write(head('POST /users/current/snapshots', ['content-length: 9999999']));
    });
    for (let round = 0; round < 20; round += 1) await lives();
    for (const socket of slow) socket.destroy();
  });

  it('releases clients that leave in the middle of everything', async () => {
    const stream = head('GET /users/current/drawdown-events/live');
    const wait = head('GET /users/current/tracker-events/stream?wait=60');
    const body = post('/users/current/snapshots', 'x'.repeat(100_000), 'application/x-ndjson');
    for (let round = 0; round < 30; round += 1) {
      for (const part of [stream, wait, Buffer.from(body).subarray(0, 50_000), body]) {
        const socket = await open();
        socket.write(part);
        if (round % 2 === 0) socket.destroy();
        else socket.resetAndDestroy();
      }
    }
    await lives();
    await noneWaits();
  });

  /** Waits until the server has noticed that all pollers are gone. */
  const noneWaits = (): Promise<void> =>
    until(async () => {
      const { body } = await user.get<string>('/metrics');
      return /^plimsoll_waiting_pollers 0$/m.test(body);
    }, 'no poller any more');

  it('holds its memory within bounds through large bodies that it refuses', async () => {
    const path = `/users/current/accounts/${accountId}/deals`;
    const blanks = (megabytes: number) => Buffer.alloc(megabytes * 1024 * 1024, ' ');
    for (let round = 0; round < 8; round += 1) {
      const answers = await Promise.all(
        [post(path, blanks(17)), post(path, blanks(15)), post(path, blanks(15))].map((request) =>
          exchange(request),
        ),
      );
      const [tooLong, ...empty] = answers.map(({ statuses }) => statuses);
      // The connection may be cut while the client still sends: then the answer is lost.
      assert.ok(tooLong?.every((status) => status === 413));
      assert.deepEqual(empty, [[400], [400]]);
    }
    const { body } = await user.get<string>('/metrics');
    const resident = Number(/^process_resident_memory_bytes (\S+)$/m.exec(body)?.[1]);
    assert.ok(resident > 0 && resident < MAX_RESIDENT_BYTES, `${resident} bytes`);
  });
});

/** The statuses of all answers on the connection, read until it ends. */
async function readAll(socket: Socket): Promise<Exchange> {
  let text = '';
  socket.setEncoding('latin1').on('data', (part: string) => {
    text += part;
  });
  const hanging = setTimeout(() => socket.destroy(new Error('hangs')), HANG_MS);
  let error: Error | undefined;
  socket.once('error', (cause: Error) => {
    error = cause;
  });
  if (!socket.closed) await once(socket, 'close').catch(() => {});
  clearTimeout(hanging);
  assert.notEqual(error?.message, 'hangs', text.slice(0, 300));
  const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((match) => Number(match[1]));
  return { statuses, text };
}
