import assert from 'node:assert/strict';
import { get } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { BASE_ADDRESSES } from '../../src/contract/openapi/document.ts';
import { Shell } from '../docs/shell.ts';
import { needs } from '../needs.ts';
import { newUser, startOn, type TestServer } from '../servers/plimsoll-process.ts';

needs('server');

/** As sent: `fetch` would decompress it. */
async function sent(address: string, encoding: string): Promise<[string | undefined, Buffer]> {
  const { promise, resolve } = Promise.withResolvers<[string | undefined, Buffer]>();
  get(address, { headers: { 'accept-encoding': encoding } }, async (response) => {
    const bytes = Buffer.concat(await response.toArray());
    resolve([response.headers['content-encoding'], bytes]);
  });
  return promise;
}

describe('the reference', () => {
  let running: TestServer;
  before(async () => {
    running = await startOn('sqlite', { LOG_LEVEL: 'warn' });
  });
  after(() => running.close());

  it('is sent completely, and compressed to a fifth for clients that accept that', async () => {
    const paths = BASE_ADDRESSES.map((base) => `/openapi/${base}.json`);
    for (const path of ['/openapi.json', '/docs', '/docs/search.js', ...paths]) {
      const address = running.server.address + path;
      const [none, plain] = await sent(address, 'identity, br;q=0');
      const [brotli, short] = await sent(address, 'gzip, deflate, br');
      const [gzip, middle] = await sent(address, 'gzip;q=0.5, x-unknown');
      assert.deepEqual([none, brotli, gzip], [undefined, 'br', 'gzip'], path);
      assert.ok(plain.equals(brotliDecompressSync(short)), path);
      assert.ok(plain.equals(gunzipSync(middle)), path);
      if (plain.length > 100_000) assert.ok(middle.length < plain.length / 5, path);
    }
  });

  it('runs no script and asks no host but our own', async () => {
    const page = await fetch(`${running.server.address}/docs`);
    const policy = page.headers.get('content-security-policy') ?? '';
    assert.match(policy, /^default-src 'none'; style-src 'self'; script-src 'self'; /);
    await page.body?.cancel();
  });

  it('has the guide and all documents beside it, whose links lead somewhere', async () => {
    const { address } = running.server;
    const read = async (path: string): Promise<string> => {
      const answer = await fetch(address + path);
      assert.equal(answer.status, 200, path);
      return answer.text();
    };
    const pages = new Map<string, string>();
    const unread = ['/docs/guide'];
    for (let path = unread.pop(); path !== undefined; path = unread.pop()) {
      const page = await read(path);
      pages.set(path, page);
      for (const [, to = ''] of page.matchAll(/href="(\/docs\/[\w-]+)(?:#[^"]*)?"/g))
        if (!pages.has(to) && !unread.includes(to) && !to.endsWith('style')) unread.push(to);
    }
    assert.ok(pages.has('/docs/hosted') && pages.has('/docs/trackers'));
    for (const [path, page] of pages)
      for (const [, to = path, anchor] of page.matchAll(/href="(\/docs\/[\w-]+)?#([^"]+)"/g))
        assert.ok(pages.get(to)?.includes(`id="${anchor}"`), `${path} links to ${to}#${anchor}`);
    assert.match(pages.get('/docs/guide') ?? '', /<pre><code class="language-sh">BASE=/);
  });

  it('has first calls that work as printed', async (t) => {
    const page = await (await fetch(`${running.server.address}/docs`)).text();
    const [start = ''] = /<section id="start">.*?<\/section>/s.exec(page) ?? [];
    const [given = '', ...calls] = [...start.matchAll(/<pre[^>]*>(.*?)<\/pre>/gs)].map(
      ([, escaped = '']) => plain(escaped),
    );
    assert.match(given, /^BASE=http.*\nTOKEN=…$/);
    assert.equal(calls.length, 3);
    const shell = new Shell(t);
    const { token } = await newUser(running.server.address);
    Object.assign(shell.variables, { BASE: running.server.address, TOKEN: token });
    const said: string[] = [];
    for (const call of calls) said.push(await shell.run(call));
    const [made, recorded, standing] = said.map((answer): unknown => JSON.parse(answer));
    assert.deepEqual(made, { id: 'challenge-1' });
    assert.equal((recorded as { late: number }).late, 0);
    assert.ok((standing as { equity: number }).equity > 0);
  });
});

const CHARACTERS: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', '#39': "'" };
const plain = (escaped: string): string =>
  escaped.replaceAll(/&([^;]+);/g, (_, name) => CHARACTERS[name] ?? '');
