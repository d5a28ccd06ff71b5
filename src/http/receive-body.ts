import type { Readable } from 'node:stream';
import { errorCodes, type FastifyRequest } from 'fastify';
import { ServiceError } from '../services/errors.ts';

/**
 * A body that doesn't say how long it is begins with so much memory, and gets several times as
 * much.
 */
const FIRST_BYTES = 64 * 1024;
const GROWTH = 4;

type Done = (error: Error | null, body?: Buffer) => void;

/**
 * Receives a body into one piece of memory, as long as it says it is. Each part is copied to its
 * place as it comes, so that nothing is joined at the end: to join 16 MB takes longer than anybody
 * should have to wait. No two bodies lie in one constant, empty ones neither: whoever has a body
 * may move its memory to another thread. Compressed bodies are refused (`unsupportedMedia`): a
 * small one may unpack to more than anybody can hold.
 */
export function receiveBody(request: FastifyRequest, payload: Readable, done: Done): void {
  const { bodyLimit } = request.routeOptions;
  const { 'content-encoding': encoding = 'identity' } = request.headers;
  if (encoding.toLowerCase() !== 'identity') {
    done(
      new ServiceError('unsupportedMedia', 'Send the body uncompressed, without content-encoding'),
    );
    return;
  }
  const said = request.headers['content-length'];
  const length = said === undefined ? undefined : Number(said);
  if (length !== undefined && length > bodyLimit) {
    done(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE());
    return;
  }
  let memory: Buffer | undefined;
  let received = 0;
  const take = (part: Buffer): void => {
    const needed = received + part.length;
    if (needed > bodyLimit) {
      finish(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE());
      return;
    }
    memory ??= Buffer.allocUnsafe(length ?? Math.min(FIRST_BYTES, bodyLimit));
    if (needed > memory.length) memory = grown(memory, received, needed, bodyLimit);
    part.copy(memory, received);
    received = needed;
  };
  const finish = (error: Error | null): void => {
    payload.off('data', take).off('end', end).off('error', fail).off('close', cut);
    if (error) done(error);
    else done(null, memory?.subarray(0, received) ?? Buffer.alloc(0));
  };
  const end = (): void => {
    const isWhole = length === undefined || received === length;
    finish(isWhole ? null : new errorCodes.FST_ERR_CTP_INVALID_CONTENT_LENGTH());
  };
  const fail = (error: Error): void => finish(Object.assign(error, { statusCode: 400 }));
  const cut = (): void => fail(new Error('The body was cut off'));
  // Who left while his right was looked at: nothing is told of it any more.
  if (payload.destroyed) {
    cut();
    return;
  }
  payload.on('data', take).on('end', end).on('error', fail).on('close', cut);
  payload.resume();
}

function grown(memory: Buffer, used: number, needed: number, most: number): Buffer {
  const larger = Buffer.allocUnsafe(Math.min(most, Math.max(needed, memory.length * GROWTH)));
  memory.copy(larger, 0, 0, used);
  return larger;
}
