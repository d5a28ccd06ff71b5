import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import Fastify from 'fastify';
import { type StreamSource, sendEventStream } from './event-stream.ts';

/** A client's text from a stream until the server ends it. */
async function streamOf(source: Partial<StreamSource>): Promise<string> {
  const server = Fastify().decorate('lastHeaders', () => ({}));
  after(() => server.close());
  const whole = {
    next: async () => [],
    stillAllowed: async () => true,
    now: () => 0,
    ...source,
  };
  server.get('/', (_request, reply) => sendEventStream(reply, whole, { lifeMs: 1000 }));
  const response = await fetch(await server.listen({ port: 0, host: '127.0.0.1' }));
  return response.text();
}
const closed = (reason: string) => `event: closed\ndata: {"reason":"${reason}"}\n\n`;

describe('a stream of events', () => {
  it('ends once its token may no longer read', async () => {
    let asked = 0;
    const text = await streamOf({
      next: async () => [{ id: asked, data: JSON.stringify({ n: asked }) }],
      stillAllowed: async () => {
        asked += 1;
        return asked <= 2;
      },
    });
    assert.equal(
      text,
      `retry: 1000\n\nid: 0\ndata: {"n":0}\n\nid: 1\ndata: {"n":1}\n\n${closed('token-ended')}`,
    );
  });

  it('waits no longer than its token lasts', async () => {
    let nowMs = 0;
    const waits: number[] = [];
    const text = await streamOf({
      expiresAtMs: 400,
      now: () => nowMs,
      next: async (waitMs) => {
        waits.push(waitMs);
        nowMs += waitMs;
        return [];
      },
      stillAllowed: async () => nowMs < 400,
    });
    assert.deepEqual(waits, [400]);
    assert.ok(text.endsWith(closed('token-ended')));
  });

  it('ends when its time is over, however much there is to send', async () => {
    let nowMs = 0;
    const text = await streamOf({
      now: () => nowMs,
      next: async () => {
        nowMs += 300;
        return [{ id: nowMs, data: '1' }];
      },
    });
    assert.equal(text.match(/^id: /gm)?.length, 4);
    assert.ok(text.endsWith(closed('hour-is-over')));
  });

  it('ends if its token cannot be checked', async () => {
    const gone = async () => {
      throw new Error('the database is away');
    };
    assert.ok((await streamOf({ stillAllowed: gone })).endsWith(closed('service-unavailable')));
    assert.ok((await streamOf({ next: gone })).endsWith(closed('service-unavailable')));
  });
});
