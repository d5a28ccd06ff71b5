import Type, { type TObject, type TSchema } from 'typebox';
import { errorRecord } from './error-record.ts';

/** What a token must be allowed to do. `public` operations need no token. */
export type Scope = 'read' | 'write' | 'ingest' | 'admin' | 'public';

/** The base address of the specification that an operation belongs to; one origin serves all. */
export type BaseAddress =
  | 'stats'
  | 'risk'
  | 'client'
  | 'manager'
  | 'provisioning'
  | 'admin'
  | 'system';

/**
 * One operation of the wire: the single source of its validation, serialisation, types, OpenAPI
 * entry and authorisation. `:name` in the path marks parameters.
 */
export type Operation = {
  /** Unique; also its name in logs and metrics. */
  operationId: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  base: BaseAddress;
  scope: Scope;
  summary: string;
  description?: string;
  params?: TObject;
  querystring?: TObject;
  headers?: TObject;
  body?: TSchema;
  /** Media types of a body that reaches the handler as bytes, unvalidated; `body` then is shown only. */
  consumes?: string[];
  /** Longest accepted body; the server's default (1 MiB) where absent. */
  bodyLimitBytes?: number;
  /** Answers may be long: they are compressed for those who take that. */
  isLong?: true;
  /** Schemas of the success answers by status; null for an empty body. */
  response: Record<number, TSchema | null>;
  /** Error statuses beyond 400, 401, 403, 413, 415, 429, 500 and 503, which every operation may answer. */
  errors?: (404 | 409)[];
};

export const defineOperation = <const O extends Operation>(operation: O): O => operation;

const COMMON_ERRORS = [400, 401, 403, 429, 500, 503] as const;

/** All answers of an operation by status, the error records included. */
export function answersOf(operation: Operation): Record<number, TSchema> {
  const answers: Record<number, TSchema> = {};
  for (const [status, schema] of Object.entries(operation.response)) {
    answers[Number(status)] = schema ?? Type.Null({ description: 'No content' });
  }
  const bodyErrors = operation.body || operation.consumes ? [413, 415] : [];
  const errors = [...COMMON_ERRORS, ...bodyErrors, ...(operation.errors ?? [])];
  for (const status of errors) {
    if (operation.scope === 'public' && (status === 401 || status === 403)) continue;
    answers[status] = errorRecord;
  }
  return answers;
}
