import type { FastifyReply, FastifyRequest } from 'fastify';
import { PAGE_BYTES } from '../contract/primitives.ts';
import { type Page, readPage } from '../services/page.ts';

type Query = Record<string, string | number>;

/**
 * The items of a page, in the order of their list. Headers give the total and the link to the next
 * page. A page of large items ends once it exceeds PAGE_BYTES.
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

/** A page of a list that is read by `limit` and `offset`; `read` is asked for one item more. */
export async function sendOffsetPage<Q extends { limit?: number; offset?: number }, T>(
  call: { request: FastifyRequest; reply: FastifyReply },
  query: Q,
  read: (page: Q & { limit: number; offset: number }) => Promise<T[]>,
  usualLimit = 1000,
): Promise<T[]> {
  const { limit = usualLimit, offset = 0 } = query;
  const page = await readPage(
    { limit },
    (most) => read({ ...query, limit: most, offset }),
    (_, n) => ({ offset: offset + n }),
  );
  return sendPage(call, page, (item) => item);
}

function addressOf({ url }: FastifyRequest, next: Query): string {
  const [path = '', query = ''] = url.split('?');
  const all = new URLSearchParams(query);
  for (const [name, value] of Object.entries(next)) all.set(name, String(value));
  return `${path}?${all}`;
}
