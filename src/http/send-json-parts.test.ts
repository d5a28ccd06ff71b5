import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import { until } from '../../test/servers/until.ts';
import { sendJsonParts } from './send-json-parts.ts';

/** More than the system accepts from the server before the client reads. */
const LENGTH = 20_000_000;

describe('JSON in parts', () => {
  let server: FastifyInstance;
  let port: number;
  let parts: Buffer[] = [];
  let released = 0;
  let asked: FastifyRequest;
  before(async () => {
    server = Fastify({ forceCloseConnections: true });
    server.decorate('lastHeaders', () => ({}));
    server.get('/', (request, reply) => {
      asked = request;
      return sendJsonParts(reply, parts, () => {
        released += 1;
        for (const part of parts) part.fill(0);
      });
    });
    port = Number(new URL(await server.listen({ port: 0, host: '127.0.0.1' })).port);
  });
  after(() => server.close());

  async function ask(headers: Record<string, string> = {}): Promise<IncomingMessage> {
    released = 0;
    const [response] = await once(get({ port, headers, agent: false }), 'response');
    return response;
  }

  for (const [way, headers] of [
    ['as they are', {}],
    ['joined for those who take them compressed', { 'accept-encoding': 'gzip' }],
  ] as const) {
    it(`frees the parts once a slow client was sent all, ${way}`, async () => {
      parts = [randomBytes(LENGTH), Buffer.from(','), randomBytes(LENGTH)];
      const whole = Buffer.concat(parts);
      const response = await ask(headers);
      assert.equal(released, 0);
      assert.ok((await buffer(response)).equals(whole));
      await until(() => released === 1, 'the parts given back');
    });
  }

  it('does not free parts still being sent when the connection ended', async () => {
    parts = [randomBytes(LENGTH), randomBytes(LENGTH)];
    const response = await ask();
    asked.raw.socket.destroy();
    await assert.rejects(buffer(response));
    assert.equal(released, 0);
  });
});
