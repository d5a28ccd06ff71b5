import type { Moment } from '../storage/sql-text.ts';
import { invalidParameter } from './errors.ts';

/** A part of a list. */
export type Page<T> = {
  items: readonly T[];
  /** The total; undefined if not counted. */
  total: number | undefined;
  /** Whether there are more after these. */
  hasMore: boolean;
  /** The query for the page after an item, which is the n-th of this page. */
  nextAfter(item: T, n: number): Record<string, string | number>;
};

/** A page from `read`, which is called for one item more than the limit. */
export async function readPage<T>(
  { limit, total }: { limit: number; total?: number },
  read: (limit: number) => Promise<T[]>,
  nextAfter: NoInfer<Page<T>['nextAfter']>,
): Promise<Page<T>> {
  const found = await read(limit + 1);
  return { items: found.slice(0, limit), total, hasMore: found.length > limit, nextAfter };
}

/** A moment in the form used by pages. */
export const momentText = ({ atMs, id }: Moment): string => `${atMs}-${id}`;

/** The query for the page after a record, of those listed by their creation. */
export const beforeCreation = (record: { createdAtMs: number; id: string }) => ({
  before: momentText({ atMs: record.createdAtMs, id: record.id }),
});

/** Throws `validation` if it is none. */
export function readMoment(text: string | undefined): Moment | undefined {
  if (text === undefined) return undefined;
  const [, atMs, id] = /^(\d{1,15})-(.+)$/.exec(text) ?? [];
  if (atMs === undefined || id === undefined) {
    throw invalidParameter('before', 'must be that of a link to the next page');
  }
  return { atMs: Number(atMs), id };
}
