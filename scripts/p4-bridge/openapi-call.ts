import type { TSchema } from 'typebox';

export type Parameter = {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description: string;
  schema: object;
};

export const parameter = (
  place: Parameter['in'],
  name: string,
  description: string,
  schema: object,
  required: boolean = place === 'path',
): Parameter => ({ name, in: place, required, description, schema });

const LOGIN = { type: 'integer', minimum: 1 };
export const loginPath = parameter('path', 'login', 'Login of the account', LOGIN);
export const loginQuery = parameter('query', 'login', 'Login of the account', LOGIN, true);
export const cursor = parameter('query', 'cursor', 'nextCursor of the page before', {
  type: 'string',
  maxLength: 512,
});
export const time = (name: string, description: string): Parameter =>
  parameter('query', name, description, { type: 'string', maxLength: 23 }, true);

export const idempotencyKey = parameter(
  'header',
  'idempotency-key',
  'Names the attempt',
  { type: 'string', maxLength: 128 },
  true,
);

export type Call = {
  summary: string;
  description?: string;
  parameters?: Parameter[];
  body?: TSchema;
  status?: number;
  answer: TSchema;
  notFound?: string;
};

/** By path, then method. */
export type Calls = Record<string, Record<string, Call>>;
