import {
  bridgeBalanceOperation,
  bridgeBooked,
  bridgeClosed,
  bridgeClosing,
  bridgeCount,
  bridgeDone,
  bridgeGroups,
  bridgeLoginOrders,
  bridgeOrdersRequest,
  bridgePassword,
  bridgePasswordCheck,
  bridgePendingOrders,
  bridgeSettings,
  bridgeSettingsChange,
  bridgeStates,
  bridgeStatesRequest,
} from '../../src/platforms/p4-bridge/wire-actions.ts';
import {
  type Call,
  type Calls,
  cursor,
  idempotencyKey,
  loginPath,
  loginQuery,
  time,
} from './openapi-call.ts';

const notFound = 'No such login';

export const ordersOfMany: Call = {
  summary: 'Closed orders of many logins in a range of closing times',
  description:
    'Reads only. Give rows of one login one after another. Used to find the accounts in which something happened, for which one cheap reading of all is enough.',
  body: bridgeOrdersRequest,
  answer: bridgeLoginOrders,
  notFound: 'No such call',
};

/** Calls that change accounts, or read very many of them. */
export const ACTION_CALLS: Calls = {
  '/v1/groups': {
    get: {
      summary: 'Groups that the manager sees, by name',
      parameters: [cursor],
      answer: bridgeGroups,
    },
  },
  '/v1/users/{login}/settings': {
    get: {
      summary: 'What an account may do',
      parameters: [loginPath],
      answer: bridgeSettings,
      notFound,
    },
    patch: {
      summary: "Changes only the given fields, and answers with the server's values afterwards",
      description:
        'The library writes whole records: read the record, change these fields, write it, and read it again. Answer with code 3 where the server refuses a value, for example a group that does not exist or is in another currency.',
      parameters: [loginPath],
      body: bridgeSettingsChange,
      answer: bridgeSettings,
      notFound,
    },
  },
  '/v1/users/{login}/password': {
    post: {
      summary: 'Sets the main or the investor password',
      parameters: [loginPath],
      body: bridgePassword,
      answer: bridgeDone,
      notFound,
    },
  },
  '/v1/users/{login}/password/check': {
    post: {
      summary: 'Tells whether a password is the one that is set',
      description: 'A bridge that can not tell answers 501.',
      parameters: [loginPath],
      body: bridgePassword,
      answer: bridgePasswordCheck,
      notFound,
    },
  },
  '/v1/users/{login}/balance-operations': {
    post: {
      summary: 'Moves money, once',
      description:
        'The last 13 characters of the comment, a # and 12 others, mark the operation on the server. Look for an operation of the login whose comment ends with the same 13 characters before you book, and answer with its ticket instead; answer with code 3 where its type or amount differs. A key is unlike any other for ever, so look through all of the history of the login. Let two requests for one login wait for each other.',
      parameters: [loginPath, idempotencyKey],
      body: bridgeBalanceOperation,
      answer: bridgeBooked,
      notFound,
    },
  },
  '/v1/pending-orders': {
    get: {
      summary: 'Orders of a login that wait for a price',
      parameters: [loginQuery, cursor],
      answer: bridgePendingOrders,
      notFound,
    },
  },
  '/v1/positions/close': {
    post: {
      summary: 'Closes market orders at the market price',
      description:
        'Tickets that are not open any more count as done. Answer within 20 s with those still open as failed.',
      body: bridgeClosing,
      answer: bridgeClosed,
      notFound,
    },
  },
  '/v1/pending-orders/cancel': {
    post: {
      summary: 'Deletes orders that wait for a price',
      description: 'Tickets that do not wait any more count as done.',
      body: bridgeClosing,
      answer: bridgeClosed,
      notFound,
    },
  },
  '/v1/states': {
    post: {
      summary: 'Money of many logins, or of all logins of groups',
      description:
        'Reads only. Logins that do not exist are left out. Page by login, so that a login is neither missed nor given twice.',
      body: bridgeStatesRequest,
      answer: bridgeStates,
      notFound: 'No such call',
    },
  },
  '/v1/closed-orders/count': {
    get: {
      summary: 'How many closed orders and balance operations a login has in a range',
      description: 'from ≤ closeTime < to. Without the rows that Plimsoll skips.',
      parameters: [
        loginQuery,
        time('from', 'Start of the range, inclusive, broker time'),
        time('to', 'End of the range, exclusive, broker time'),
      ],
      answer: bridgeCount,
      notFound,
    },
  },
};
