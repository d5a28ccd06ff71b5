import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { WebhookClient } from './send-webhook.ts';

const WITHIN_MS = 150;

/** Posts to a target that says this much and then no more, without an end. */
async function sendTo(t: TestContext, words: string): Promise<string> {
  const target = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.write(words));
  }).listen(0, '127.0.0.1');
  await once(target, 'listening');
  t.after(() => target.close());
  const { port } = target.address() as AddressInfo;
  const client = new WebhookClient({ allowPrivate: true });
  t.after(() => client.close());
  const options = { signal: new AbortController().signal, withinMs: WITHIN_MS };
  const url = new URL(`http://127.0.0.1:${port}/`);
  const { isTaken, result } = await client.send(url, {}, '{}', options);
  assert.equal(isTaken, false);
  return result;
}

describe('a webhook’s target', () => {
  it('is given up in time if it never answers', async (t) => {
    assert.equal(await sendTo(t, ''), 'no answer in time');
  });

  it('is given up in time if its head or its answer never ends', async (t) => {
    assert.equal(await sendTo(t, 'HTTP/1.1 200 OK\r\nx-slow: '), 'no answer in time');
    const half = 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf';
    assert.equal(await sendTo(t, half), 'no answer in time');
  });

  it('is not connected to if private, even if its webhook is older than the setting', async () => {
    const client = new WebhookClient({ allowPrivate: false });
    const options = { signal: new AbortController().signal };
    const { isTaken, result } = await client.send(new URL('http://127.0.0.1:9/'), {}, '', options);
    client.close();
    assert.equal(isTaken, false);
    assert.match(result, /not public/);
  });
});
