import Type, { type Static } from 'typebox';
import { defineOperation } from '../operation.ts';

export const OVERVIEW_SORTS = [
  'name',
  'login',
  'balance',
  'equity',
  'profit',
  'usedLimit',
  'lastUpdate',
] as const;
export const MAX_OVERVIEW_PAGE = 200;

const overviewAccount = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    login: Type.String(),
    platform: Type.Enum(['p4', 'p5']),
    broker: Type.String(),
    currency: Type.String(),
    state: Type.Enum(['live', 'stale', 'waiting', 'undeployed'], {
      description:
        'live: a snapshot within five minutes; stale: an older one; waiting: none so far',
    }),
    balance: Type.Optional(Type.Number()),
    equity: Type.Optional(Type.Number()),
    lastUpdate: Type.Optional(Type.String({ description: 'Broker time of the last snapshot' })),
    ageSeconds: Type.Optional(
      Type.Number({
        description:
          "Age of the last snapshot by the account's clock when this was answered; negative: that clock is ahead",
      }),
    ),
    lossPerHour: Type.Optional(
      Type.Number({
        description:
          'Equity lost an hour, of the last quarter to five quarters of an hour, without transfers; only while live',
      }),
    ),
    trackers: Type.Integer({ description: 'Number of its trackers' }),
    unwatched: Type.Boolean({ description: 'In use, but no loss limit is measured now' }),
    worstTracker: Type.Optional(
      Type.Object({
        id: Type.String(),
        name: Type.String(),
        used: Type.Number({ description: 'Present drawdown as a part of what is allowed' }),
        exceeded: Type.Boolean({ description: 'In the running period' }),
        floor: Type.Number({ description: 'Lowest equity that is allowed' }),
        toFloor: Type.Number({ description: 'Equity above the floor; negative beyond it' }),
        secondsToReset: Type.Optional(
          Type.Number({ description: 'Until the period ends; absent when it has no end' }),
        ),
      }),
    ),
    recentEquity: Type.Array(Type.Number(), {
      description: 'At the end of recent hours, in order',
    }),
  },
  { $id: 'OverviewAccount' },
);
export type OverviewAccount = Static<typeof overviewAccount>;

export const accountsOverviewOperation = defineOperation({
  operationId: 'readAccountsOverview',
  method: 'GET',
  path: '/users/current/accounts-overview',
  base: 'risk',
  scope: 'read',
  summary: 'Accounts with their balance, equity and the tracker nearest to its limit',
  description: 'As of the last checkpoint, at most some seconds old. Sorted and searched here.',
  querystring: Type.Object({
    search: Type.Optional(
      Type.String({ maxLength: 100, description: 'Part of id, name, login, broker or currency' }),
    ),
    filter: Type.Optional(
      Type.Enum(['all', 'exceeded', 'near', 'unwatched', 'live', 'stale', 'waiting', 'undeployed']),
    ),
    sort: Type.Optional(Type.Enum([...OVERVIEW_SORTS], { default: 'name' })),
    order: Type.Optional(Type.Enum(['ascending', 'descending'], { default: 'ascending' })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_OVERVIEW_PAGE, default: 100 })),
    offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000, default: 0 })),
  }),
  isLong: true,
  response: {
    200: Type.Object({
      asOf: Type.String({ description: 'ISO time, UTC, at which the figures were read' }),
      total: Type.Integer({ description: 'Accounts that match' }),
      exceeded: Type.Integer({ description: 'Of all accounts: beyond a limit' }),
      near: Type.Integer({ description: 'Of all accounts: beyond three quarters of a limit' }),
      stale: Type.Integer({ description: 'Of all accounts: no snapshot within five minutes' }),
      unwatched: Type.Integer({ description: 'Of all accounts: in use without a loss limit' }),
      all: Type.Integer({ description: 'All accounts' }),
      accounts: Type.Array(overviewAccount),
    }),
  },
});
