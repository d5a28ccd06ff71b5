import assert from 'node:assert/strict';
import { it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import Fastify from 'fastify';
import { ReadyAnswer } from './ready-answer.ts';

const LONG = JSON.stringify(Array.from({ length: 1000 }, (_, index) => `äccount ${index}`));

async function ask(json: string, accepted: string | undefined) {
  const server = Fastify();
  const answer = new ReadyAnswer(json);
  server.get('/', (_, reply) => answer.send(reply));
  const headers = accepted === undefined ? {} : { 'accept-encoding': accepted };
  const got = await server.inject({ url: '/', headers });
  await server.close();
  return got;
}

it('sends one JSON to all, compressed to clients that accept that', async () => {
  for (const accepted of ['gzip', 'br, GZIP;q=0.5', 'deflate,gzip']) {
    const { headers, rawPayload } = await ask(LONG, accepted);
    assert.equal(headers['content-encoding'], 'gzip', accepted);
    assert.equal(headers.vary, 'accept-encoding');
    assert.equal(gunzipSync(rawPayload).toString(), LONG);
  }
  for (const refused of [undefined, 'br', 'gzip;q=0', 'gzip; q=0.000', 'xgzip', 'identity']) {
    const { headers, payload } = await ask(LONG, refused);
    assert.equal(headers['content-encoding'], undefined, String(refused));
    assert.match(String(headers['content-type']), /^application\/json/);
    assert.equal(headers.vary, 'accept-encoding');
    assert.equal(payload, LONG);
  }
});

it('does not compress answers that fit into a packet', async () => {
  const { headers, payload } = await ask('{"accounts":[]}', 'gzip');
  assert.equal(headers['content-encoding'], undefined);
  assert.equal(payload, '{"accounts":[]}');
});
