import type { FastifyReply, FastifyRequest } from 'fastify';
import { PAGE_BYTES } from '../contract/primitives.ts';
import type { Page } from '../services/page.ts';

type Query = Record<string, string | number>;

/**
 * The items of a page, in the order of their list. Headers say how many there are in all, and where
 * the next page is. A page of large items ends where it passes PAGE_BYTES.
 */
export function sendPage<T, Shown>(
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  { items, total, hasMore, nextAfter }: Page<T>,
  present: (item: T) => Shown,
): Shown[] {
  const shown: Shown[] = [];
  let bytes = 0;
  for (const item of items) {
    if (bytes > PAGE_BYTES) break;
    const one = present(item);
    bytes += Buffer.byteLength(JSON.stringify(one));
    shown.push(one);
  }
  if (total !== undefined) reply.header('total-count', total);
  const last = items[shown.length - 1];
  if (last !== undefined && (hasMore || shown.length < items.length)) {
    reply.header('link', `<${addressOf(request, nextAfter(last, shown.length))}>; rel="next"`);
  }
  return shown;
}

/** The same of a list that is read by `limit` and `offset`. */
export function sendOffsetPage<T, Shown>(
  call: { request: FastifyRequest; reply: FastifyReply },
  items: readonly T[],
  { limit, offset }: { limit: number; offset: number },
  present: (item: T) => Shown,
): Shown[] {
  const nextAfter = (_: T, n: number): Query => ({ offset: offset + n });
  const hasMore = items.length === limit;
  return sendPage(call, { items, total: undefined, hasMore, nextAfter }, present);
}

function addressOf({ url }: FastifyRequest, next: Query): string {
  const [path = '', query = ''] = url.split('?');
  const all = new URLSearchParams(query);
  for (const [name, value] of Object.entries(next)) all.set(name, String(value));
  return `${path}?${all}`;
}
