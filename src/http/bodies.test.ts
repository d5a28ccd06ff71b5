import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import { after, before, describe, it, type TestContext } from 'node:test';
import Fastify, { type FastifyInstance } from 'fastify';
import { registerBodies } from './bodies.ts';

const LIMIT = 1_000_000;

describe('bodies of requests', () => {
  let server: FastifyInstance;
  let port: number;
  let received: Buffer | undefined;
  let joined = 0;
  let joins = (): number => 0;
  before(async () => {
    server = Fastify({ forceCloseConnections: true });
    registerBodies(server);
    server.post('/', { bodyLimit: LIMIT }, ({ body }) => {
      received = body as Buffer;
      joined = joins();
      return '';
    });
    port = Number(new URL(await server.listen({ port: 0, host: '127.0.0.1' })).port);
  });
  after(() => server.close());

  /** Sends a body in parts and returns the status. `said`: its content-length; none: in chunks. */
  async function send(parts: readonly Buffer[], said?: number): Promise<number | undefined> {
    received = undefined;
    const sent = request({
      port,
      method: 'POST',
      headers: {
        'content-type': 'application/octet-stream',
        ...(said === undefined ? {} : { 'content-length': said }),
      },
    });
    // A request refused before its body has come is not read any more.
    sent.on('error', () => {});
    const answered = once(sent, 'response');
    for (const part of parts) sent.write(part);
    sent.end();
    const [response] = await answered;
    response.resume();
    return response.statusCode;
  }

  /** A body and its parts, of all lengths. */
  function body(length: number): { whole: Buffer; parts: Buffer[] } {
    const whole = randomBytes(length);
    const parts: Buffer[] = [];
    for (let at = 0, size = 1; at < length; at += size, size = (size * 3) % 70_001) {
      parts.push(whole.subarray(at, at + size));
    }
    return { whole, parts };
  }

  const watchJoins = (t: TestContext): void => {
    const { mock } = t.mock.method(Buffer, 'concat');
    joins = () => mock.callCount();
  };

  it('a body gets its own memory of the announced length, without joining', async (t) => {
    watchJoins(t);
    const { whole, parts } = body(LIMIT);
    assert.equal(await send(parts, whole.length), 200);
    assert.ok(received?.equals(whole));
    assert.equal(received?.buffer.byteLength, whole.length);
    assert.equal(joined, 0);
  });

  it('a body without a length arrives complete, without joining', async (t) => {
    watchJoins(t);
    for (const length of [1, 65_536, 65_537, 400_000, LIMIT]) {
      const { whole, parts } = body(length);
      assert.equal(await send(parts), 200);
      assert.ok(received?.equals(whole), `${length} bytes`);
    }
    assert.equal(joined, 0);
  });

  it('a body that is too long is refused: unread if announced, otherwise at the bound', async () => {
    assert.equal(await send([], LIMIT + 1), 413);
    assert.equal(await send(body(LIMIT + 1).parts), 413);
    assert.equal(received, undefined);
  });

  it('a body may be empty', async () => {
    assert.equal(await send([], 0), 200);
    assert.equal(received?.length, 0);
  });

  it('moving an empty body to another thread leaves the next one intact', async () => {
    for (let sent = 0; sent < 2; sent += 1) {
      assert.equal(await send([], 0), 200);
      assert.ok(received && received.buffer instanceof ArrayBuffer);
      structuredClone(received, { transfer: [received.buffer] });
    }
  });
});
