import type { FastifyReply } from 'fastify';

/** 202: the answer is being computed; `retry-after` says when to ask again. */
export function answerComputing(reply: FastifyReply, retryAfterSeconds: number) {
  reply.code(202).header('retry-after', retryAfterSeconds);
  return {
    status: 'computing',
    message: 'The trades of this account are being computed; try again after retry-after seconds',
  };
}
