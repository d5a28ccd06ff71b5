import assert from 'node:assert/strict';
import { createSocket, type Socket } from 'node:dgram';
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { describe, it, type TestContext } from 'node:test';
import { NameUnanswered, resolveName } from './resolve-name.ts';

const A = 1;
const SHORT_MS = 100;
const LONG_MS = 60_000;
/** More than the system's threads for looking up names. */
const MANY = 16;

describe('resolving a name', () => {
  it('gives up if DNS never answers, without blocking look-ups of the system', async (t) => {
    const server = await startDns(t, () => undefined);
    const asked = Array.from({ length: MANY }, () => resolveName('silent.test', LONG_MS, [server]));
    const ends = Promise.allSettled(asked);
    assert.ok((await lookup('localhost', { all: true })).length > 0);
    await assert.rejects(resolveName('silent.test', SHORT_MS, [server]), NameUnanswered);
    for (const { status } of await ends) assert.equal(status, 'rejected');
  });

  it('finds the addresses in DNS, of either family', async (t) => {
    const server = await startDns(t, (question, type) =>
      type === A ? found(question) : none(question),
    );
    assert.deepEqual(await resolveName('known.test', LONG_MS, [server]), [
      { address: '192.0.2.7', family: 4 },
    ]);
  });

  it('never asks DNS for names of this machine', async () => {
    const addresses = await resolveName('localhost', LONG_MS, ['192.0.2.1']);
    assert.ok(addresses.every(({ address }) => address === '127.0.0.1' || address === '::1'));
  });
});

async function startDns(
  t: TestContext,
  answer: (question: Buffer, type: number) => Buffer | undefined,
): Promise<string> {
  const socket: Socket = createSocket('udp4');
  socket.on('message', (question, { port, address }) => {
    const bytes = answer(question, typeOf(question));
    if (bytes) socket.send(bytes, port, address);
  });
  await once(socket.bind(0, '127.0.0.1'), 'listening');
  t.after(() => socket.close());
  return `127.0.0.1:${socket.address().port}`;
}

/** RFC 1035, 4.1: a head of 12 bytes, then the name, ended by a zero, its type and class. */
const endOfQuestion = (question: Buffer): number => question.indexOf(0, 12) + 5;
const typeOf = (question: Buffer): number => question.readUInt16BE(endOfQuestion(question) - 4);

function none(question: Buffer): Buffer {
  const bytes = Buffer.from(question.subarray(0, endOfQuestion(question)));
  bytes.writeUInt16BE(0x8180, 2);
  bytes.writeUInt32BE(0, 6);
  bytes.writeUInt16BE(0, 10);
  return bytes;
}

/** The name of the question again, A, IN, a minute, 192.0.2.7. */
function found(question: Buffer): Buffer {
  const bytes = Buffer.concat([
    none(question),
    Buffer.from('c00c000100010000003c0004c0000207', 'hex'),
  ]);
  bytes.writeUInt16BE(1, 6);
  return bytes;
}
