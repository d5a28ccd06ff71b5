import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, before, beforeEach, describe, it } from 'node:test';
import Fastify, { type FastifyInstance } from 'fastify';
import { Registry } from 'prom-client';
import { until } from '../../test/servers/until.ts';
import type { Places } from '../services/places.ts';
import { registerBodies, registerBodyPlaces } from './bodies.ts';
import { holdPlace, registerPlaces } from './held-places.ts';

const SHARES = { process: 100, user: 100, token: 100 };
const WHO = { userId: 'ana', tokenId: 'a', scopes: new Set<never>(), accountNumbers: undefined };

/** A promise to wait for, and its release. */
class Gate {
  reached = 0;
  #opened = Promise.withResolvers<void>();

  async pass(): Promise<void> {
    this.reached += 1;
    await this.#opened.promise;
  }

  open(): void {
    this.#opened.resolve();
  }
}

describe('places held by requests', () => {
  let server: FastifyInstance;
  let port: number;
  let bytes: Places;
  let works: Places;
  let right: Gate;
  let work: Gate;
  const registry = new Registry();
  before(async () => {
    server = Fastify({ forceCloseConnections: true });
    server.decorateRequest('principal');
    server.addHook('onRequest', async (request) => {
      if (request.headers['auth-token'] === 'slow') await right.pass();
      request.principal = WHO;
    });
    registerBodies(server);
    registerPlaces(server, registry);
    bytes = registerBodyPlaces(server);
    works = server.places.create('works', 'works at a time', SHARES, 1);
    server.route({
      method: ['GET', 'POST'],
      url: '/',
      onRequest: (request, reply, done) => {
        holdPlace(request, reply, works.take(request.principal));
        done();
      },
      handler: (request) =>
        request.held?.during(async () => {
          await work.pass();
          return 'done';
        }),
    });
    port = Number(new URL(await server.listen({ port: 0, host: '127.0.0.1' })).port);
  });
  beforeEach(() => {
    right = new Gate();
    work = new Gate();
  });
  after(() => server.close());

  const send = async (text: string): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    await once(socket, 'connect');
    socket.write(text);
    return socket;
  };
  const head = (line: string, ...headers: string[]): string =>
    [`${line} HTTP/1.1`, 'host: x', ...headers, '', ''].join('\r\n');
  const body = (length: number): string[] => [
    'content-type: text/plain',
    `content-length: ${length}`,
  ];
  const leave = async (socket: Socket): Promise<void> => {
    const connections = () =>
      new Promise<number>((resolve) => server.server.getConnections((_, count) => resolve(count)));
    const before = await connections();
    socket.resetAndDestroy();
    await until(
      async () => (await connections()) < before,
      'the server notices that the client left',
    );
  };
  const noneIsHeld = (): Promise<void> =>
    until(() => works.taken === 0 && bytes.taken === 0, 'every place is given back');

  it('are given back when the client leaves before its token is checked', async () => {
    for (const request of [
      head('GET /', 'auth-token: slow'),
      head('POST /', 'auth-token: slow', ...body(9)),
    ]) {
      right = new Gate();
      const socket = await send(request);
      await until(() => right.reached === 1);
      await leave(socket);
      right.open();
      work.open();
      await noneIsHeld();
    }
  });

  it('are given back when a body is cut', async () => {
    const socket = await send(`${head('POST /', ...body(90_000))}cut`);
    await until(() => bytes.taken === 90_000 && works.taken === 1);
    await leave(socket);
    await noneIsHeld();
    assert.equal(work.reached, 0);
  });

  it('are held until the work is done if the client leaves', async () => {
    const socket = await send(`${head('POST /', ...body(3))}all`);
    await until(() => work.reached === 1);
    await leave(socket);
    assert.deepEqual([works.taken, bytes.taken], [1, 3]);
    work.open();
    await noneIsHeld();
  });

  it('are given back by all requests of a dropped connection', async () => {
    const socket = await send(head('GET /') + `${head('POST /', ...body(3))}all`.repeat(20));
    await until(() => work.reached === 21);
    await leave(socket);
    assert.deepEqual([works.taken, bytes.taken], [21, 60]);
    work.open();
    await noneIsHeld();
  });

  it('are counted by kind', async () => {
    const socket = await send(head('GET /'));
    await until(() => work.reached === 1);
    const text = await registry.metrics();
    assert.match(text, /^plimsoll_places_taken\{places="works"\} 1$/m);
    assert.match(text, /^plimsoll_places_taken\{places="bodyBytes"\} 0$/m);
    work.open();
    await noneIsHeld();
    socket.destroy();
  });
});
