import { bodyLimitOf } from '../../src/contract/body-limit.ts';
import type { Operation } from '../../src/contract/operation.ts';
import { OPERATIONS } from '../../src/contract/operations.ts';
import type { Schema } from '../fuzz/values.ts';
import { pathOf, ROWS } from '../matrix/operations.ts';
import type { World } from '../matrix/world.ts';
import { STRETCHES, type Stretch, stretch } from './stretch.ts';

/** What an operation answered. */
export type Heard = { status: number; bytes: number; text: string };

/** An operation at its longest: sent again and again, each time with other names. */
export type WorstRequest = {
  operation: Operation;
  send: (turn: number) => Promise<Heard>;
};

/** A request that these answer is none that anybody would send. */
export const WRONG: readonly number[] = [400, 404, 413, 415];

/** Streams last; of each only so much is waited for. */
const STREAM_MS = 200;
/** What is shown of a refusal. */
const SHOWN = 300;
/** All that there is. */
const WIDEST = {
  from: '2016-01-01 00:00:00.000',
  to: '2026-12-31 00:00:00.000',
};
/** As many hours as an answer holds. */
const WIDEST_OF_UTC: Record<string, string> = {
  startTime: '2016-01-04T00:00:00Z',
  endTime: '2016-02-14T16:00:00Z',
};
const RANGE: Record<string, string> = {
  'historical-trades/{startTime}': WIDEST.from,
  '{startTime}/{endTime}': WIDEST.to,
};
/** Things that a turn makes or deletes under a name of its own. */
const NAMED = /(?<=\/)((?:account-views|rule-templates|table-mappings)\/\{name\})$/;

/**
 * A request for each operation of the contract, made from its schema: its widest range, its longest
 * page, and the row of the matrix of rights stretched as far as the schema and the verb allow. So
 * an operation that is new has one; without a row in the matrix, this throws.
 */
export const worstRequests = (world: World): WorstRequest[] =>
  OPERATIONS.toSorted((a, b) => orderOf(a) - orderOf(b)).map((operation) => ({
    operation,
    send: sender(operation, world),
  }));

/** What reads comes before what changes, and that before what deletes. */
const orderOf = ({ method }: Operation): number =>
  method === 'GET' ? 0 : method === 'DELETE' ? 2 : 1;

export function requestOf(id: string, world: World): WorstRequest {
  const operation = OPERATIONS.find(({ operationId }) => operationId === id);
  if (!operation) throw new Error(`There is no operation ${id}`);
  return { operation, send: sender(operation, world) };
}

function sender(operation: Operation, world: World): WorstRequest['send'] {
  const { operationId: id, scope } = operation;
  const row = ROWS[id];
  if (!row) throw new Error(`${id} has no row in test/matrix/operations.ts`);
  const token = (scope === 'admin' ? world.operator : world.owner).token ?? '';
  let how: Stretch | undefined;
  return async (turn) => {
    const send = (by: Stretch) =>
      sendOnce(operation, world, token, bodyOf(operation, world, by, turn), turn);
    if (how) return send(how);
    let heard: Heard | undefined;
    for (const each of STRETCHES) {
      heard = await send(each);
      how = each;
      // What the verb refuses beyond the schema is tried in a shorter form.
      if (!WRONG.includes(heard.status)) break;
    }
    return heard ?? { status: 0, bytes: 0, text: '' };
  };
}

function bodyOf(
  operation: Operation,
  world: World,
  how: Stretch,
  turn: number,
): Uint8Array | string | undefined {
  const given = ROWS[operation.operationId]?.body?.(world);
  if (given === undefined || given instanceof Uint8Array) return given;
  if (!operation.body) return JSON.stringify(given);
  const schema = JSON.parse(JSON.stringify(operation.body)) as Schema;
  const named = withName(given, turn);
  const text = JSON.stringify(stretch(named, schema, how));
  return text.length <= bodyLimitOf(operation)
    ? text
    : JSON.stringify(stretch(named, schema, 'texts'));
}

/** Where names must differ, they do. */
function withName(body: unknown, turn: number): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  if ('email' in body) return { ...body, email: `worst-${turn}-${Math.random()}@example.com` };
  return 'name' in body ? { ...body, name: `${turn} ${String(body.name)}` } : body;
}

async function sendOnce(
  operation: Operation,
  world: World,
  token: string,
  body: Uint8Array | string | undefined,
  turn: number,
): Promise<Heard> {
  const { method, operationId: id } = operation;
  const isFile = body instanceof Uint8Array;
  const left: Heard = { status: 0, bytes: 0, text: 'left' };
  const answer = await fetch(world.address + pathAt(operation, world, turn), {
    method,
    headers: {
      'auth-token': token,
      ...(body === undefined ? {} : { 'content-type': isFile ? 'text/html' : 'application/json' }),
      ...ROWS[id]?.headers,
    },
    ...(body === undefined ? {} : { body: isFile ? new Uint8Array(body) : body }),
    ...(operation.streams ? { signal: AbortSignal.timeout(STREAM_MS) } : {}),
  }).catch((error: unknown) => {
    if (!operation.streams) throw error;
  });
  if (!answer) return left;
  const { bytes, text } = await readAll(answer);
  return { status: answer.status, bytes, text };
}

/** Counts an answer without keeping it. */
async function readAll({ body }: Response): Promise<{ bytes: number; text: string }> {
  let bytes = 0;
  let text = '';
  try {
    for await (const part of body ?? []) {
      bytes += part.length;
      if (text.length < SHOWN) text += Buffer.from(part).toString('utf8', 0, SHOWN);
    }
  } catch (error) {
    // A stream is left.
    if (!(error instanceof DOMException)) throw error;
  }
  return { bytes, text };
}

function pathAt(operation: Operation, world: World, turn: number): string {
  const { operationId: id, method } = operation;
  const path = operation.path.replaceAll(/:(\w+)/g, '{$1}');
  const named = NAMED.exec(path)?.[1];
  const others = { ...RANGE, ...(named ? { [named]: `Worst ${turn}` } : {}) };
  const own = pathOf({ id, method, path, isPublic: false }, world, others);
  const [before = '', query = ''] = own.split('?');
  const asked = new URLSearchParams(query);
  const parameters = (operation.querystring as Schema | undefined)?.properties ?? {};
  for (const [name, schema] of Object.entries(parameters)) {
    const value = widest(name, schema);
    if (value !== undefined && !asked.has(name)) asked.set(name, value);
  }
  return asked.size > 0 ? `${before}?${asked}` : before;
}

function widest(name: string, { maximum, format }: Schema): string | undefined {
  if (format === 'date-time') return WIDEST_OF_UTC[name];
  if (name === 'limit') return String(maximum);
  if (name === 'wait') return '0';
  if (/^start(Broker)?Time$/.test(name)) return WIDEST.from;
  if (/^end(Broker)?Time$/.test(name)) return WIDEST.to;
  return undefined;
}
