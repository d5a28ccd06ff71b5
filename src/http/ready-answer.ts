import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply } from 'fastify';
import { type OwnBytes, ownBytes } from '../services/shared-answers.ts';
import { COMPRESSION } from './compression.ts';

const zip = promisify(gzip);

/** A shared answer: its JSON is made once, and compressed once for all clients that accept that. */
export class ReadyAnswer {
  readonly #json: OwnBytes;
  #zipped: Promise<OwnBytes> | undefined;

  constructor(json: string) {
    this.#json = ownBytes(json);
  }

  /** At most this many bytes, with both forms. */
  get bytes(): number {
    return 2 * this.#json.length;
  }

  async send(reply: FastifyReply): Promise<FastifyReply> {
    reply.type('application/json; charset=utf-8');
    if (this.#json.length < COMPRESSION.threshold) return reply.send(this.#json);
    reply.header('vary', 'accept-encoding');
    if (!takesGzip(reply.request.headers['accept-encoding'])) return reply.send(this.#json);
    this.#zipped ??= zip(this.#json, COMPRESSION.zlibOptions).then((bytes) => ownBytes(bytes));
    return reply.header('content-encoding', 'gzip').send(await this.#zipped);
  }
}

/** RFC 9110, section 12.5.3: a quality of 0 refuses. */
const takesGzip = (accepted: string | undefined): boolean =>
  /(^|,)\s*gzip\s*(;\s*q=(0\.0*[1-9]|1)[\d.]*\s*)?(,|$)/i.test(accepted ?? '');
