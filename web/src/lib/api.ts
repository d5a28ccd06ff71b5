import type { Static, TSchema } from 'typebox';
import type { ErrorRecord, Fault } from '../../../src/contract/error-record.ts';
import type { Operation } from '../../../src/contract/operation.ts';
import { noteAnswer, noteSilence } from './connection.ts';
import { readSession, signOut } from './session.ts';

type Part<O, K extends string, Key extends string> =
  O extends Record<K, infer S extends TSchema> ? { [P in Key]: Static<S> } : unknown;

/** Params, query and body of an operation, in the types of its own contract. */
export type Input<O extends Operation> = Part<O, 'params', 'params'> &
  (O extends { querystring: infer Q extends TSchema } ? { query?: Static<Q> } : unknown) &
  (O extends { consumes: string[] } ? { body: Blob } : Part<O, 'body', 'body'>);

/** What an operation answers; undefined for an empty answer. */
export type Answer<O extends Operation> = {
  [S in keyof O['response']]: O['response'][S] extends TSchema
    ? Static<O['response'][S]>
    : undefined;
}[keyof O['response']];

/** An answer that is not a success, or none at all (`status` 0). */
export class ApiError extends Error {
  readonly status: number;
  readonly record: ErrorRecord | undefined;

  constructor(status: number, message: string, record?: ErrorRecord) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.record = record;
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
};

/**
 * Calls an operation of the contract. The first argument repeats its method and path, and does not
 * compile when they differ:
 * `call<typeof readAccountOperation>('GET /users/current/accounts/:accountId', { params: { accountId } })`
 */
export async function call<O extends Operation>(
  line: `${O['method']} ${O['path']}`,
  input: Input<O>,
  signal?: AbortSignal,
): Promise<Answer<O>> {
  const [method = 'GET', path = '/'] = line.split(' ');
  const { params, query, body } = input as AnyInput;
  const response = await request(addressOf(path, params, query), {
    method,
    ...(body === undefined ? {} : bodyOf(body)),
    ...(signal ? { signal } : {}),
  });
  const text = await response.text();
  return (text ? JSON.parse(text) : undefined) as Answer<O>;
}

/** A request with the session's token; throws ApiError, and signs out when the token is refused. */
export async function request(address: string, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  const { token } = readSession();
  if (token) headers.set('auth-token', token);
  const response = await fetch(address, { ...init, headers }).catch((error: unknown) => {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    noteSilence();
    throw new ApiError(0, 'Plimsoll does not answer. Is it running, and are you online?');
  });
  if (response.ok) {
    noteAnswer();
    return response;
  }
  if (response.status >= 500) noteSilence();
  if (response.status === 401 && token === readSession().token) signOut('refused');
  throw toApiError(response.status, await response.text());
}

export function toApiError(status: number, text: string): ApiError {
  try {
    const record = JSON.parse(text) as ErrorRecord;
    return new ApiError(status, record.message, record);
  } catch {
    return new ApiError(status, `The server answered ${status} without saying why`);
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
    if (value !== undefined && value !== '') search.set(name, String(value));
  }
  return search.size > 0 ? `${filled}?${search}` : filled;
}

function bodyOf(body: unknown): { body: BodyInit; headers: Record<string, string> } {
  if (body instanceof Blob) {
    return { body, headers: { 'content-type': 'application/octet-stream' } };
  }
  return { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
}
