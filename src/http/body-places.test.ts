import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { describe, it, type TestContext } from 'node:test';
import Fastify from 'fastify';
import { Registry } from 'prom-client';
import { until } from '../../test/servers/until.ts';
import type { Places } from '../services/places.ts';
import { registerBodies, registerBodyPlaces } from './bodies.ts';
import { registerPlaces } from './held-places.ts';

const MEBIBYTE = 1024 * 1024;
/** Longer than any test takes; a test that waits for it says how long. */
const IDLE_MS = 600_000;

describe('held bodies', () => {
  let port: number;
  let places: Places;
  const start = async (t: TestContext, idleMs = IDLE_MS): Promise<void> => {
    const server = Fastify({ forceCloseConnections: true });
    t.after(() => server.close());
    server.decorateRequest('principal');
    server.addHook('onRequest', async (incoming) => {
      const tokenId = String(incoming.headers['auth-token']);
      const userId = tokenId.split('/', 1)[0];
      incoming.principal = { userId, tokenId, scopes: new Set(), accountNumbers: undefined };
    });
    server.setErrorHandler((error: { code?: string }, _request, reply) =>
      reply.code(error.code === 'unavailable' ? 503 : 429).send(error.code),
    );
    registerBodies(server);
    registerPlaces(server, new Registry());
    places = registerBodyPlaces(server, idleMs);
    server.post('/', { bodyLimit: 50 * MEBIBYTE }, ({ body }) => String((body as Buffer).length));
    const address = await server.listen({ port: 0, host: '127.0.0.1' });
    port = Number(new URL(address).port);
  };

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
    // An upload that is left when a test ends gets none.
    status.catch(() => {});
    return { status, send: (bytes) => sent.write(Buffer.alloc(bytes)), end: () => sent.end() };
  };

  it('are bounded for a token, a user and the process before the first byte', async (t) => {
    await start(t);
    const hold = async (token: string): Promise<void> => {
      const before = places.taken;
      upload(token, 50 * MEBIBYTE).send(1);
      await until(() => places.taken > before);
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
  });

  it('are given up when no data come', async (t) => {
    await start(t, 50);
    const still = upload('ana/1', 50 * MEBIBYTE);
    still.send(1);
    assert.equal(await still.status, 400);
    await until(() => places.taken === 0);
  });

  it('are read to their end while data come', async (t) => {
    await start(t);
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
