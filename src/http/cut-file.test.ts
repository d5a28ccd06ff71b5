import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import Fastify from 'fastify';
import { Registry } from 'prom-client';
import { exportHistoryOperation } from '../contract/operations/exports.ts';
import { addRoute } from './add-route.ts';
import { registerPlaces } from './held-places.ts';

async function* cut(): AsyncGenerator<string> {
  yield 'a part\n';
  await new Promise(setImmediate);
  throw new Error('The trades are being recomputed');
}

test('a file that ends before its end is one answer, and no second failure', async (t) => {
  const server = Fastify({ forceCloseConnections: true });
  t.after(() => server.close());
  server.decorateRequest('principal');
  server.addHook('onRequest', async (request) => {
    request.principal = {
      userId: 'one',
      tokenId: 'one',
      scopes: new Set(),
      accountNumbers: undefined,
    };
  });
  const failures: unknown[] = [];
  server.setErrorHandler((error, _request, reply) => {
    failures.push(error);
    return reply.code(500).send('');
  });
  registerPlaces(server, new Registry());
  const places = server.places.create('exports', 'exports', { process: 1, user: 1, token: 1 }, 1);
  addRoute(server, exportHistoryOperation, ({ reply }) => reply.send(Readable.from(cut())), {
    places,
  });
  const address = await server.listen({ port: 0, host: '127.0.0.1' });
  const answer = await fetch(`${address}/users/current/accounts/a/exports/deals`);
  await assert.rejects(answer.text(), /terminated/);
  await new Promise(setImmediate);
  assert.equal(answer.status, 200);
  assert.deepEqual(failures, []);
  assert.equal(places.taken, 0);
});
