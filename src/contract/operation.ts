import type { TObject, TSchema } from 'typebox';
import type { TokenScope } from '../words/service.ts';

/** The scope that a token needs. `public` operations need no token. */
export type Scope = Exclude<TokenScope, 'actions'> | 'public';

export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type Method = (typeof METHODS)[number];

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
 * One operation of the API: the single source of its validation, serialisation, types, bounds,
 * authorisation and entry in the reference. `:name` in the path marks parameters.
 */
export type Operation = {
  /** Unique; also its name in logs, metrics and generated clients. */
  operationId: string;
  method: Method;
  path: string;
  base: BaseAddress;
  scope: Scope;
  /** A few words, without a full stop. */
  summary: string;
  /** Sentences: the meaning, units and zones, special cases. Details are separate paragraphs. */
  description: string;
  params?: TObject;
  querystring?: TObject;
  headers?: TObject;
  /** A list is read row by row, from JSON or NDJSON. */
  body?: TSchema;
  /** The description says what a request without a body means. */
  bodyIsOptional?: boolean;
  /**
   * Media types of a body that reaches the handler as bytes, unvalidated; `body` is then
   * documentation only.
   */
  consumes?: string[];
  /** Longest accepted body. Absent: as long as the longest body that the schema allows. */
  bodyLimitBytes?: number;
  /**
   * Schemas of the success answers by status; null for an empty body. See `usualStatus`.
   */
  response: Record<number, TSchema | null>;
  /**
   * The reason why its answer may be longer (`MOST_ANSWER_BYTES`): few such answers are made at a
   * time for one user.
   */
  longAnswer?: string;
  /** Made of ready parts, sent one after another. */
  isSentInParts?: boolean;
  /** Answers with server-sent events: the schema of each event's data. */
  streams?: TSchema;
  /** Answers with a file of one of these media types, sent unchanged; 200 is documentation only. */
  file?: string[];
  /** A list with the total and the link to the next page in headers. */
  isPaged?: boolean;
  /** Error statuses beyond those that follow from the scope and the body. */
  errors?: (401 | 403 | 404 | 409)[];
  /** Served for old clients: the reference names the replacement. */
  deprecated?: boolean;
};

export const defineOperation = <const O extends Operation>(operation: O): O => operation;

/** The default status of an answer: 201 where something is created, else the first. */
export const usualStatus = ({ response }: Pick<Operation, 'response'>): number => {
  const [first = 204] = Object.keys(response).map(Number);
  return 201 in response ? 201 : first;
};
