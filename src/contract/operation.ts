import type { TObject, TSchema } from 'typebox';
import type { TokenScope } from '../words/service.ts';

/** What a token must be allowed to do. `public` operations need no token. */
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
 * One operation of the wire: the single source of its validation, serialisation, types, bounds,
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
  /**
   * Sentences: what it means, units and zones, what is special. Particulars are paragraphs of their
   * own.
   */
  description: string;
  params?: TObject;
  querystring?: TObject;
  headers?: TObject;
  /** A list is read row by row, from JSON or NDJSON. */
  body?: TSchema;
  /** A request without a body asks for what the description says. */
  bodyIsOptional?: boolean;
  /**
   * Media types of a body that reaches the handler as bytes, unvalidated; `body` then is shown
   * only.
   */
  consumes?: string[];
  /** Longest accepted body. Absent: as long as the longest body that the schema allows. */
  bodyLimitBytes?: number;
  /**
   * Schemas of the success answers by status; null for an empty body. See `usualStatus`.
   */
  response: Record<number, TSchema | null>;
  /**
   * Why its answer may be longer than others (`MOST_ANSWER_BYTES`): then few are made at a time for
   * one user.
   */
  longAnswer?: string;
  /** Made of ready parts, which are sent one after the other. */
  isSentInParts?: boolean;
  /** Answers with server-sent events: the schema of the data of each. */
  streams?: TSchema;
  /** Answers with a file of one of these media types, written as it is; 200 is shown only. */
  file?: string[];
  /** A list that says in headers how many there are, and where its next page is. */
  isPaged?: boolean;
  /** Error statuses beyond those that follow from the scope and the body. */
  errors?: (404 | 409)[];
  /** Served for clients that were written long ago: the reference says what to use instead. */
  deprecated?: boolean;
};

export const defineOperation = <const O extends Operation>(operation: O): O => operation;

/** The status of an answer that says no other: 201 where something is made, else the first. */
export const usualStatus = ({ response }: Pick<Operation, 'response'>): number => {
  const [first = 204] = Object.keys(response).map(Number);
  return 201 in response ? 201 : first;
};
