import type { Static, TSchema } from 'typebox';
import type { ErrorRecord, Fault } from '../../../src/contract/error-record.ts';
import type { Operation } from '../../../src/contract/operation.ts';
import { noteAnswer, noteSilence } from './connection.ts';
import { readSession, signOut } from './session.ts';

type Part<O, K extends string, Key extends string> =
  O extends Record<K, infer S extends TSchema> ? { [P in Key]: Static<S> } : unknown;

/** A request that only reads, but with a body: if it fails, nothing has changed. */
type Reading = { method: 'POST'; scope: 'read' };

/** Params, query and body of an operation, in the types of its own contract. */
export type Input<O extends Operation> = Part<O, 'params', 'params'> &
  (O extends Reading ? { onlyReads: true } : unknown) &
  (O extends { querystring: infer Q extends TSchema } ? { query?: Static<Q> } : unknown) &
  (O extends { consumes: string[] } ? { body: Blob } : Part<O, 'body', 'body'>);

/** The answer of an operation; undefined if empty. */
export type Answer<O extends Operation> = {
  [S in keyof O['response']]: O['response'][S] extends TSchema
    ? Static<O['response'][S]>
    : undefined;
}[keyof O['response']];

const OUTCOME_UNKNOWN =
  'The answer was lost: the change may or may not have been saved. Check before you try again.';

/** An answer that is not a success, or none at all (`status` 0). */
export class ApiError extends Error {
  readonly status: number;
  readonly record: ErrorRecord | undefined;
  /** A change was sent, and its outcome is unknown: it is neither done nor undone. */
  readonly isOutcomeUnknown: boolean = false;

  constructor(status: number, message: string, record?: ErrorRecord) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.record = record;
  }

  /**
   * No answer came from Plimsoll itself: `message` is only true for requests that change nothing.
   */
  static lost(isChange: boolean, status: number, message: string): ApiError {
    const error = new ApiError(status, isChange ? OUTCOME_UNKNOWN : message);
    return Object.assign(error, { isOutcomeUnknown: isChange });
  }

  /** Every fault of a ValidationError. */
  get faults(): Fault[] {
    return Array.isArray(this.record?.details) ? (this.record.details as Fault[]) : [];
  }
}

type AnyInput = {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
  onlyReads?: boolean;
};

/** Without it, a silent connection would be awaited for ever. */
const ANSWER_WITHIN_MS = 60_000;

/**
 * Calls an operation of the contract. The first argument repeats its method and path, and does not
 * compile if they differ: `call<typeof readAccountOperation>('GET
 * /users/current/accounts/:accountId', { params })`
 */
export async function call<O extends Operation>(
  line: `${O['method']} ${O['path']}`,
  input: Input<O>,
  signal?: AbortSignal,
): Promise<Answer<O>> {
  const { answer } = await callPage<O>(line, input, signal);
  return answer;
}

/** All items of a list read page by page, up to `MAX_PAGES` of them. */
export async function callAll<O extends Operation & { isPaged: true }>(
  line: `${O['method']} ${O['path']}`,
  input: Input<O>,
  signal?: AbortSignal,
): Promise<Answer<O>> {
  const all: unknown[] = [];
  let from: Record<string, string> | undefined;
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const { answer, next } = await callPage<O>(line, input, signal, from);
    all.push(...(answer as unknown[]));
    if (!next) break;
    from = next;
  }
  return all as Answer<O>;
}

const MAX_PAGES = 50;

/** The query of the next page, from the header `link`. */
const nextOf = (link: string | null): Record<string, string> | undefined => {
  const [, query] = /^<[^?>]*\?([^>]*)>; rel="next"$/.exec(link ?? '') ?? [];
  return query === undefined ? undefined : Object.fromEntries(new URLSearchParams(query));
};

/** A page of a list, the first or that of a query, and the query of the next one. */
export async function callPage<O extends Operation>(
  line: `${O['method']} ${O['path']}`,
  input: Input<O>,
  signal?: AbortSignal,
  from?: Record<string, string>,
): Promise<{ answer: Answer<O>; next: Record<string, string> | undefined }> {
  const [method = 'GET', path = '/'] = line.split(' ');
  const { params, query, body, onlyReads = false } = input as AnyInput;
  const init = {
    method,
    ...(body === undefined ? {} : bodyOf(body)),
    ...(signal ? { signal } : {}),
  };
  const isChange = method !== 'GET' && !onlyReads;
  const response = await request(addressOf(path, params, from ?? query), init, isChange);
  const answer = await readAnswer<Answer<O>>(response, isChange);
  return { answer, next: nextOf(response.headers.get('link')) };
}

/** A request of the session, by its cookie; throws ApiError, and signs out if that has ended. */
export async function request(
  address: string,
  init: RequestInit,
  isChange: boolean,
): Promise<Response> {
  const headers = new Headers(init.headers);
  const { id } = readSession();
  // Also on a server that speaks the hosted product's names to others.
  headers.set('plimsoll-compatibility', 'none');
  const response = await answerTo(address, { ...init, headers }).catch((error: unknown) => {
    if (init.signal?.aborted) throw error;
    noteSilence();
    const message = 'Plimsoll does not answer. Is it running, and are you online?';
    throw ApiError.lost(isChange, 0, message);
  });
  if (response.ok) {
    noteAnswer();
    return response;
  }
  if (response.status >= 500) noteSilence();
  if (response.status === 401 && id === readSession().id) void signOut('ended');
  throw toApiError(response.status, await response.text().catch(() => ''), isChange);
}

/** The head of the answer must come within this time; its body may take longer. */
async function answerTo(address: string, init: RequestInit): Promise<Response> {
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(), ANSWER_WITHIN_MS);
  const signal = AbortSignal.any([silence.signal, ...(init.signal ? [init.signal] : [])]);
  return await fetch(address, { ...init, signal }).finally(() => clearTimeout(timer));
}

/** The body of a success, undefined if it is empty. A body may be cut off. */
export async function readAnswer<T>(response: Response, isChange: boolean): Promise<T> {
  try {
    const text = await response.text();
    return (text ? JSON.parse(text) : undefined) as T;
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    noteSilence();
    throw ApiError.lost(isChange, 0, 'The answer was cut off on its way');
  }
}

/**
 * A failure in Plimsoll's own words is a known one; a proxy's page proves nothing about a change.
 */
export function toApiError(status: number, text: string, isChange: boolean): ApiError {
  const record = recordOf(text);
  if (record) return new ApiError(status, record.message, record);
  const isLost = isChange && status >= 500;
  return ApiError.lost(isLost, status, `The server answered ${status} without saying why`);
}

function recordOf(text: string): ErrorRecord | undefined {
  try {
    const record = JSON.parse(text) as Partial<ErrorRecord> | null;
    return typeof record?.message === 'string' ? (record as ErrorRecord) : undefined;
  } catch {
    return undefined;
  }
}

export function addressOf(
  path: string,
  params: Record<string, unknown> = {},
  query: Record<string, unknown> = {},
): string {
  const filled = path.replace(/:(\w+)/g, (_, name) => encodeURIComponent(String(params[name])));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    const all: unknown[] = Array.isArray(value) ? value : [value];
    for (const one of all) if (one !== undefined && one !== '') search.append(name, String(one));
  }
  return search.size > 0 ? `${filled}?${search}` : filled;
}

function bodyOf(body: unknown): { body: BodyInit; headers: Record<string, string> } {
  if (body instanceof Blob) {
    return { body, headers: { 'content-type': 'application/octet-stream' } };
  }
  return { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
}
