import type { FastifyRequest } from 'fastify';

export const idempotencyKeyOf = (headers: FastifyRequest['headers']): string | undefined => {
  const key = headers['idempotency-key'];
  return typeof key === 'string' ? key : undefined;
};
