import { PlatformError } from '../gateway.ts';
import type { P5Client } from './client.ts';
import { numberOf, type P5Record, rowsOf, textOf } from './record.ts';
import { isNotFound, RETCODE, RetcodeError } from './retcode.ts';
import type { P5Params } from './session.ts';

/** `get_page` returns at most this many rows per call, whatever is requested. */
const PAGE_ROWS = 100;
/** A batch of more deals than this is read as two halves of its range. */
const MAX_BATCH_DEALS = 5_000;
const MAX_PAGES = 1_000;
/** Parts in which a range of deals is read: a million deals take a few hundred. */
const MAX_PARTS = 4_096;
const UNSUPPORTED_RETCODES: readonly number[] = [RETCODE.error, RETCODE.noService];

/** Answer of servers older than the batch commands. */
export const isUnsupported = (error: unknown): boolean =>
  error instanceof RetcodeError && UNSUPPORTED_RETCODES.includes(error.retcode);

/** Rows of a command; none if the server finds nothing. */
export async function batchOf(
  client: P5Client,
  command: string,
  params: P5Params,
  isBulk: boolean = false,
): Promise<P5Record[]> {
  try {
    return rowsOf((await client.call({ command, params }, isBulk)).answer);
  } catch (error) {
    if (isNotFound(error)) return [];
    throw error;
  }
}

/**
 * Deals of a login in [fromSec, toSec), each once, in no particular order; without those that
 * belong to another login.
 */
export async function dealRows(
  client: P5Client,
  login: number,
  fromSec: number,
  toSec: number,
): Promise<P5Record[]> {
  const rows = new Map<string, P5Record>();
  const pending: [number, number][] = [[fromSec, toSec]];
  let parts = 0;
  for (let range = pending.pop(); range; range = pending.pop()) {
    parts += 1;
    if (parts > MAX_PARTS)
      throw new PlatformError('unavailable', 'The list of deals does not end', {
        retryAfterSeconds: 60,
      });
    const [from, to] = range;
    // The server includes both ends.
    const params = { login, from, to: Math.max(from, to - 1) };
    const total = await countDealRows(client, login, from, to);
    if (total === 0) continue;
    if (total > MAX_BATCH_DEALS && to - from > 1) {
      const middle = Math.floor((from + to) / 2);
      pending.push([middle, to], [from, middle]);
      continue;
    }
    const found = await batchOrPages(client, 'deal', params, total);
    for (const row of ofLogin(found, login)) rows.set(textOf(row, 'Deal'), row);
  }
  return [...rows.values()];
}

/** How many deals of a login the server has in [fromSec, toSec). */
export function countDealRows(
  client: P5Client,
  login: number,
  fromSec: number,
  toSec: number,
  isBulk: boolean = false,
): Promise<number> {
  const params = { login, from: fromSec, to: Math.max(fromSec, toSec - 1) };
  return totalOf(client, '/api/deal/get_total', params, isBulk);
}

async function totalOf(
  client: P5Client,
  command: string,
  params: P5Params,
  isBulk: boolean = false,
): Promise<number> {
  const [answer] = await batchOf(client, command, params, isBulk);
  return answer ? numberOf(answer, 'total') || numberOf(answer, 'Total') : 0;
}

/** One batch or, on servers older than the batch commands, pages of 100. */
async function batchOrPages(
  client: P5Client,
  kind: 'deal' | 'position' | 'order',
  params: P5Params,
  total: number,
): Promise<P5Record[]> {
  try {
    return await batchOf(client, `/api/${kind}/get_batch`, params);
  } catch (error) {
    if (!isUnsupported(error)) throw error;
  }
  const rows: P5Record[] = [];
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const offset = page * PAGE_ROWS;
    if (offset >= total) return rows;
    const found = await batchOf(client, `/api/${kind}/get_page`, {
      ...params,
      offset,
      total: PAGE_ROWS,
    });
    rows.push(...found);
    // A short page means that rows moved during the read.
    if (found.length < Math.min(PAGE_ROWS, total - offset)) break;
    if (offset + PAGE_ROWS >= total) return rows;
  }
  throw new PlatformError('unavailable', 'The list changed while it was being read', {
    retryAfterSeconds: 1,
  });
}

/** Open positions or waiting orders of a login. */
export async function openRows(
  client: P5Client,
  kind: 'position' | 'order',
  login: number,
): Promise<P5Record[]> {
  const total = await totalOf(client, `/api/${kind}/get_total`, { login });
  if (total === 0) return [];
  return ofLogin(await batchOrPages(client, kind, { login }, total), login);
}

/** Rows of another login than requested are dropped. */
const ofLogin = (rows: readonly P5Record[], login: number): P5Record[] =>
  rows.filter((row) => textOf(row, 'Login') === String(login));
