import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type OwnBytes, ownBytes } from '../services/shared-answers.ts';

/** Higher levels take half a second for a tenth less. */
const BROTLI_QUALITY = 9;

type Encoding = 'br' | 'gzip';

/** In order of preference: the first is the shortest. */
const ENCODINGS: Record<Encoding, (bytes: Buffer) => Promise<Buffer>> = {
  br: (bytes) =>
    promisify(brotliCompress)(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY },
    }),
  gzip: promisify(gzip),
};

/**
 * A text that stays the same while the process runs. It is made on first request, because most
 * servers never get one, and so is each compressed form, off the event loop.
 */
export class KeptText {
  readonly #make: () => string | Promise<string>;
  readonly #type: string;
  #plain: Promise<OwnBytes> | undefined;
  readonly #compressed: Partial<Record<Encoding, Promise<OwnBytes>>> = {};

  constructor(type: string, make: () => string | Promise<string>) {
    this.#type = `${type}; charset=utf-8`;
    this.#make = make;
  }

  async send({ headers }: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    reply.type(this.#type).header('vary', 'accept-encoding').header('cache-control', 'no-cache');
    this.#plain ??= Promise.resolve(this.#make()).then((text) => ownBytes(text));
    const encoding = preferred(String(headers['accept-encoding'] ?? ''));
    if (encoding === undefined) return reply.send(await this.#plain);
    this.#compressed[encoding] ??= this.#plain
      .then(ENCODINGS[encoding])
      .then((bytes) => ownBytes(bytes));
    return reply.header('content-encoding', encoding).send(await this.#compressed[encoding]);
  }
}

/** The shortest of the encodings that a client accepts, as in `gzip, br;q=0.5`. */
function preferred(accepted: string): Encoding | undefined {
  const named = accepted.split(',').map((each) => each.split(/\s*;\s*q=/));
  const taken = named.filter(([, weight]) => Number(weight ?? 1) > 0).map(([name]) => name?.trim());
  return (Object.keys(ENCODINGS) as Encoding[]).find((encoding) => taken.includes(encoding));
}
