import {
  BRIDGE_VERSION,
  bridgeAccount,
  bridgeCreated,
  bridgeError,
  bridgeHealth,
  bridgeMarket,
  bridgeNewUser,
  bridgeOrders,
  bridgePositions,
  bridgeSymbols,
  bridgeUser,
  bridgeUsers,
} from '../../src/platforms/p4-bridge/wire.ts';
import { ACTION_CALLS, ordersOfMany } from './openapi-actions.ts';
import {
  type Call,
  type Calls,
  cursor,
  idempotencyKey,
  loginPath,
  loginQuery,
  parameter,
  time,
} from './openapi-call.ts';

const CALLS: Calls = {
  '/v1/health': {
    get: {
      summary: 'Pings the trading server and tells what the manager session sees',
      answer: bridgeHealth,
    },
  },
  '/v1/session': {
    post: {
      summary: 'Logs the manager session in again, then answers like health',
      description:
        'Asked for when health tells of no connection or of no symbols: sessions that idled may still count as connected and see nothing.',
      answer: bridgeHealth,
    },
  },
  '/v1/symbols': {
    get: {
      summary: 'Symbols in the order of the server',
      parameters: [
        parameter('query', 'group', 'Index of the security group; all where absent', {
          type: 'integer',
          minimum: 0,
          maximum: 31,
        }),
        cursor,
      ],
      answer: bridgeSymbols,
    },
  },
  '/v1/users': {
    get: {
      summary: 'Users of a group, by login',
      parameters: [
        parameter('query', 'group', 'Exact name of the group', { type: 'string' }, true),
        cursor,
      ],
      answer: bridgeUsers,
    },
    post: {
      summary: 'Opens an account on the next free login',
      description:
        'A repeated Idempotency-Key answers with the login that it opened first, for a day at least, also after a restart. Passwords are passed on and kept nowhere.',
      parameters: [idempotencyKey],
      body: bridgeNewUser,
      status: 201,
      answer: bridgeCreated,
    },
  },
  '/v1/users/{login}': {
    get: {
      summary: 'One user',
      parameters: [loginPath],
      answer: bridgeUser,
      notFound: 'No such login',
    },
  },
  '/v1/accounts/{login}': {
    get: {
      summary: 'Balance, equity and margin now',
      parameters: [loginPath],
      answer: bridgeAccount,
      notFound: 'No such login',
    },
  },
  '/v1/closed-orders': {
    get: {
      summary: 'Closed orders and balance operations of a login, by time of closing',
      description:
        'from ≤ closeTime < to. The cursor goes on after the last order of a page, also after a restart of the bridge, and misses nothing that closed meanwhile.',
      parameters: [
        loginQuery,
        time('from', 'Start of the range, inclusive, broker time'),
        time('to', 'End of the range, exclusive, broker time'),
        cursor,
      ],
      answer: bridgeOrders,
      notFound: 'No such login',
    },
    post: ordersOfMany,
  },
  '/v1/positions': {
    get: {
      summary: 'Open market orders of a login',
      parameters: [loginQuery, cursor],
      answer: bridgePositions,
      notFound: 'No such login',
    },
  },
  '/v1/market': {
    get: {
      summary: 'What the margin of a symbol needs, as the group of the login sees it',
      description: 'A symbol that the server does not know is left out of the answer.',
      parameters: [
        loginQuery,
        parameter('query', 'symbol', 'Symbol', { type: 'string', maxLength: 64 }, true),
      ],
      answer: bridgeMarket,
      notFound: 'No such login',
    },
  },
  ...ACTION_CALLS,
};

const json = (schema: object) => ({ 'application/json': { schema } });

/** The published contract of the p4 bridge, OpenAPI 3.1. */
export function bridgeOpenApi(): object {
  const paths = Object.fromEntries(
    Object.entries(CALLS).map(([path, calls]) => [
      path,
      Object.fromEntries(Object.entries(calls).map(([method, call]) => [method, entryOf(call)])),
    ]),
  );
  return {
    openapi: '3.1.0',
    info: {
      title: 'Plimsoll p4 bridge',
      version: BRIDGE_VERSION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      description:
        'The answers of a process beside the p4 manager library, so that Plimsoll can serve accounts of a p4 server. See p4-bridge.md.',
    },
    security: [{ bearer: [] }],
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      responses: {
        problem: {
          description: 'A refusal; code is the return code of the manager library',
          headers: { 'retry-after': { description: 'Seconds', schema: { type: 'integer' } } },
          content: json(bridgeError),
        },
      },
    },
  };
}

function entryOf({ summary, description, parameters, body, status, answer, notFound }: Call) {
  return {
    summary,
    ...(description === undefined ? {} : { description }),
    ...(parameters ? { parameters } : {}),
    ...(body ? { requestBody: { required: true, content: json(body) } } : {}),
    responses: {
      [status ?? 200]: { description: 'Done', content: json(answer) },
      ...(notFound === undefined ? {} : { 404: { description: `${notFound}; without a code` } }),
      default: { $ref: '#/components/responses/problem' },
    },
  };
}
