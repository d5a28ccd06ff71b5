import type { Fields } from '../../contract/hosted-names.ts';
import type { Method } from '../../contract/operation.ts';

/** The answer to a request. */
export type HostedAnswer = {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
};

export type PlainRequest = {
  method: Method;
  path: string;
  query?: string;
  body?: unknown;
  headers?: Record<string, string>;
};

/** A request of the hosted product. */
export type HostedCall = {
  /** As they stand in the address: encoded. */
  params: Record<string, string>;
  /** Without the question mark. */
  query: string;
  body: Fields;
  /** Host and port that the client asked. */
  host: string;
  requestId: string;
  /** Asks an operation in the name of the same token. */
  ask: (request: PlainRequest) => Promise<HostedAnswer>;
};

/** A request of the hosted product that differs from the operation that does the work. */
export type HostedRow = {
  method: Method;
  /** With the path words p4 and p5: mt4 and mt5 are rewritten before. */
  path: string;
  /** Fields of the body that are read; others are named in the answer. */
  takes?: readonly string[];
  /** What is done, for the page about coming from the hosted product. */
  what: string;
  answer: (call: HostedCall) => Promise<HostedAnswer>;
};

/** The path of the account that a request names. */
export const accountPath = ({ params }: HostedCall, rest = ''): string =>
  `/users/current/accounts/${params.accountId}${rest}`;

/** An answer whose body is another; failures stay as they are. */
export const withBody = (answer: HostedAnswer, change: (body: never) => unknown): HostedAnswer =>
  answer.status === 200 || answer.status === 201
    ? { ...answer, body: change(answer.body as never) }
    : answer;

/** An answer without a body, if it is a good one. */
export const emptied = (answer: HostedAnswer): HostedAnswer =>
  answer.status < 300 ? { status: 204, headers: answer.headers ?? {} } : answer;
