import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { until } from '../../../test/servers/until.ts';
import { NatsLink, readServers, UnfitServer } from './nats-link.ts';
import { JournalUnavailable } from './stream.ts';

const SILENT = { warn() {} };

/** Claims to be a NATS server of a version, and answers pings. */
function greet(socket: Socket, version = '2.10.27'): void {
  const info = { server_name: 'old', version, proto: 1, max_payload: 1000, headers: true };
  socket.write(`INFO ${JSON.stringify(info)}\r\n`);
  socket.on('data', (bytes) => {
    if (bytes.includes('PING')) socket.write('PONG\r\n');
  });
}

async function startListening(
  t: TestContext,
  connected: (socket: Socket) => void,
): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    connected(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const address = server.address();
  return `nats://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
}

const startNamed = (t: TestContext, version: string): Promise<string> =>
  startListening(t, (socket) => greet(socket, version));

describe('NatsLink', () => {
  for (const version of ['2.9.10', '2.10.22', '1.4.1']) {
    it(`refuses a server of version ${version}, naming what is needed`, async (t) => {
      const url = await startNamed(t, version);
      await assert.rejects(NatsLink.open(url, SILENT), (error) => {
        assert.ok(error instanceof UnfitServer);
        assert.match(error.message, new RegExp(`${version}: install 2.10.23 or newer`));
        return true;
      });
    });
  }

  for (const version of ['2.10.23', '2.10.27-RC.1', '2.12.0', '3.0.0']) {
    it(`accepts a server of version ${version}`, async (t) => {
      const link = await NatsLink.open(await startNamed(t, version), SILENT);
      assert.equal(link.failure, undefined);
      await link.close();
    });
  }

  it('closes a connection, too, that opens during closing', async (t) => {
    let answers = true;
    const connected: Socket[] = [];
    const url = await startListening(t, (socket) => {
      connected.push(socket);
      if (answers) greet(socket);
    });
    const link = await NatsLink.open(url, SILENT);
    answers = false;
    connected[0]?.destroy();
    await until(() => connected.length === 2, 'a second connection');
    const [, second] = connected;
    assert.ok(second);
    const gone = once(second, 'close');
    const closed = link.close();
    greet(second);
    await closed;
    await gone;
  });

  it('loses its messages to others, and nothing else, while its connection ends', async (t) => {
    let connections = 0;
    const url = await startListening(t, (socket) => {
      connections += 1;
      greet(socket);
    });
    const link = await NatsLink.open(url, SILENT);
    t.after(() => link.close());
    const { connection } = link;
    // It counts as closed before its client was notified.
    const closing = connection.close();
    while (!connection.isClosed()) await Promise.resolve();
    assert.equal(link.failure, undefined);
    link.tell('news', '1');
    link.subscribe('news', () => {});
    await closing;
    await until(() => connections === 2 && link.failure === undefined, 'a second connection');
    link.tell('news', '2');
  });

  it('reports that no server answers', async () => {
    await assert.rejects(NatsLink.open('nats://127.0.0.1:1', SILENT), JournalUnavailable);
  });
});

describe('readServers', () => {
  it('reads servers, a login and TLS from the addresses', () => {
    assert.deepEqual(readServers('nats://a:4222, nats://b'), { servers: ['a:4222', 'b:4222'] });
    assert.deepEqual(readServers('nats://me:p%40ss@a:1,nats://me:p%40ss@b:2'), {
      servers: ['a:1', 'b:2'],
      user: 'me',
      pass: 'p@ss',
    });
    assert.deepEqual(readServers('tls://secret@a'), {
      servers: ['a:4222'],
      token: 'secret',
      tls: {},
    });
  });
});
