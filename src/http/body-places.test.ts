import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { after, before, describe, it } from 'node:test';
import Fastify, { type FastifyInstance } from 'fastify';
import { Registry } from 'prom-client';
import { until } from '../../test/servers/until.ts';
import type { Places } from '../services/places.ts';
import { registerBodyPlaces } from './body-places.ts';
import { registerPlaces } from './held-places.ts';
import { registerBodies } from './read-body.ts';

const MEBIBYTE = 1024 * 1024;
const IDLE_MS = 300;

describe('bodies that are held', () => {
  let server: FastifyInstance;
  let port: number;
  let places: Places;
  before(async () => {
    server = Fastify({ forceCloseConnections: true });
    server.decorateRequest('principal');
    server.addHook('onRequest', async (incoming) => {
      const tokenId = String(incoming.headers['auth-token']);
      const userId = tokenId.split('/', 1)[0];
      incoming.principal = { userId, tokenId, scopes: new Set(), accountIds: undefined };
    });
    server.setErrorHandler((error: { code?: string }, _request, reply) =>
      reply.code(error.code === 'unavailable' ? 503 : 429).send(error.code),
    );
    registerBodies(server);
    registerPlaces(server, new Registry());
    places = registerBodyPlaces(server, IDLE_MS);
    server.post('/', { bodyLimit: 50 * MEBIBYTE }, ({ body }) => String((body as Buffer).length));
    const address = await server.listen({ port: 0, host: '127.0.0.1' });
    port = Number(new URL(address).port);
  });
  after(() => server.close());

  type Upload = { status: Promise<number>; send: (bytes: number) => void; end: () => void };
  /** Announces a body; `length` undefined: in chunks. */
  const upload = (token: string, length: number | undefined): Upload => {
    const sent = request({
      port,
      method: 'POST',
      headers: {
        'auth-token': token,
        'content-type': 'application/octet-stream',
        ...(length === undefined ? {} : { 'content-length': length }),
      },
    });
    sent.on('error', () => {});
    sent.flushHeaders();
    const status = once(sent, 'response').then(([response]) => {
      response.resume();
      return response.statusCode as number;
    });
    return { status, send: (bytes) => sent.write(Buffer.alloc(bytes)), end: () => sent.end() };
  };

  it('are bounded for a token, a user and the process before a byte has come', async () => {
    const held: Upload[] = [];
    const hold = async (token: string): Promise<void> => {
      const before = places.taken;
      const one = upload(token, 50 * MEBIBYTE);
      one.send(1);
      held.push(one);
      await until(async () => {
        await new Promise((resolve) => setImmediate(resolve));
        return places.taken > before;
      });
    };
    await hold('ana/1');
    assert.equal(await upload('ana/1', 50 * MEBIBYTE).status, 429, 'for the token');
    await hold('ana/2');
    assert.equal(await upload('ana/3', 50 * MEBIBYTE).status, 429, 'for the user');
    const small = upload('ana/3', 3);
    small.send(3);
    small.end();
    assert.equal(await small.status, 200);
    await hold('bob/1');
    await hold('bob/2');
    await hold('carl/1');
    assert.equal(await upload('dora/1', undefined).status, 503, 'for the process');
    assert.ok(places.taken <= 256 * MEBIBYTE);
    // Nothing comes of any of them: they are given up, and their places are free again.
    assert.deepEqual(
      await Promise.all(held.map(({ status }) => status)),
      [400, 400, 400, 400, 400],
    );
    await until(async () => {
      await new Promise((resolve) => setImmediate(resolve));
      return places.taken === 0;
    });
  });

  it('are read to their end while something comes of them', async () => {
    const chunked = upload('ana/1', undefined);
    const announced = upload('bob/1', 400_000);
    for (let part = 0; part < 4; part += 1) {
      chunked.send(100_000);
      announced.send(100_000);
    }
    chunked.end();
    assert.deepEqual(await Promise.all([chunked.status, announced.status]), [200, 200]);
  });
});
