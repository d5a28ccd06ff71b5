import Type, { type Static } from 'typebox';
import { ACCOUNT_STATES, CLOCK_SUSPECTS } from '../../words/accounts.ts';
import { SORT_ORDERS } from '../../words/service.ts';
import { defineOperation } from '../operation.ts';
import {
  amount,
  answerText,
  brokerTimeText,
  clockOffsetSeconds,
  count,
  currency,
  idText,
  isoTime,
  record,
  words,
} from '../primitives.ts';
import { label, MAX_LABELS_PER_ACCOUNT, platform } from './accounts.ts';
import { enrolmentState } from './programs.ts';

export const OVERVIEW_SORTS = [
  'name',
  'login',
  'balance',
  'equity',
  'profit',
  'usedLimit',
  'savable',
  'lastUpdate',
] as const;
export const MAX_OVERVIEW_PAGE = 200;
/** Hours of equity that a row shows. */
const MAX_RECENT_HOURS = 200;

export const accountState = words(ACCOUNT_STATES, {
  $id: 'AccountState',
  description:
    'By the age of the newest snapshot. live: at most five minutes; stale: older; waiting: none so far',
});
export const ageSeconds = Type.Optional(
  Type.Number({
    description: "Age of the newest snapshot at the time of the answer, by the server's clock",
  }),
);
export const clockOff = Type.Boolean({
  description:
    'The broker times of its snapshots are all off by the same amount of more than two minutes',
});

const overviewAccount = record('OverviewAccount', {
  id: idText('Account id'),
  name: answerText(200, 'Name of the account'),
  login: answerText(18, 'Login on the platform'),
  platform,
  broker: answerText(200, 'Name of the broker'),
  currency,
  labels: Type.Array(label, {
    maxItems: MAX_LABELS_PER_ACCOUNT,
    description: 'Groups of the account',
  }),
  state: accountState,
  balance: Type.Optional(amount('Balance')),
  equity: Type.Optional(amount('Equity')),
  lastUpdate: Type.Optional(brokerTimeText('Time of the last snapshot')),
  ageSeconds,
  clockOffsetSeconds,
  clockOff,
  lossPerHour: Type.Optional(
    amount(
      'Equity lost per hour, over the last 15 to 75 minutes, without transfers; only while live',
    ),
  ),
  trackers: count('Number of its trackers'),
  unwatched: Type.Boolean({ description: 'In use, but without a loss limit measured now' }),
  endedEnrolment: Type.Optional(
    record(
      'EndedEnrolment',
      {
        id: idText('Enrolment id'),
        phaseName: answerText(200, 'Name of its phase'),
        state: enrolmentState,
      },
      { description: 'The last enrolment of an unwatched account: its limits ended with it' },
    ),
  ),
  worstTracker: Type.Optional(
    record('WorstTracker', {
      id: idText('Tracker id'),
      name: answerText(250, 'Name of the tracker; for a rule of an enrolment, its phase and kind'),
      used: Type.Number({ description: 'Current drawdown as a fraction of the allowed one' }),
      exceeded: Type.Boolean({ description: 'Whether it is exceeded in the running period' }),
      floor: amount('Lowest allowed equity'),
      toFloor: amount('Equity above the floor; negative beyond it'),
      secondsToReset: Type.Optional(
        Type.Number({ description: 'Time until the period ends; absent if it has no end' }),
      ),
    }),
  ),
  recentEquity: Type.Array(amount('Equity at the end of an hour'), {
    maxItems: MAX_RECENT_HOURS,
    description: 'Recent hours with snapshots, in order, and the newest equity',
  }),
  recentHoursAgo: Type.Array(Type.Number({ description: 'Hours before lastUpdate' }), {
    maxItems: MAX_RECENT_HOURS,
    description: 'When each of recentEquity was: hours without snapshots are left out',
  }),
});
export type OverviewAccount = Static<typeof overviewAccount>;

/** Which accounts. */
const which = {
  search: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'Part of the id, name, login, broker, currency or a label',
    }),
  ),
  label: Type.Optional(
    Type.String({ maxLength: 50, description: 'Only accounts with this label' }),
  ),
  filter: Type.Optional(
    words(['all', 'exceeded', 'near', 'unwatched', 'clockOff', ...ACCOUNT_STATES], {
      $id: 'AccountFilter',
      description:
        "Which accounts; near: beyond three quarters of a limit; clockOff: its broker clock and the server's disagree",
    }),
  ),
};

export const accountsOverviewOperation = defineOperation({
  operationId: 'readAccountsOverview',
  method: 'GET',
  path: '/users/current/accounts-overview',
  base: 'risk',
  scope: 'read',
  summary: 'Accounts with balance, equity and worst tracker',
  description:
    'As of the last checkpoint, at most a few seconds old. The server searches and sorts: the worst tracker is the one nearest to its limit.',
  querystring: Type.Object({
    ...which,
    sort: Type.Optional(words(OVERVIEW_SORTS, { default: 'name', description: 'Order by' })),
    order: Type.Optional(words(SORT_ORDERS, { default: 'ascending', description: 'Direction' })),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_OVERVIEW_PAGE,
        default: 100,
        description: 'Largest number of accounts in the answer',
      }),
    ),
    offset: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 1_000_000,
        default: 0,
        description: 'Accounts to skip',
      }),
    ),
  }),
  response: {
    200: record('AccountsOverview', {
      asOf: isoTime('When the figures were read'),
      total: count('Accounts that match'),
      exceeded: count('Of all accounts: a loss limit was exceeded in its running period'),
      near: count('Of all accounts: beyond three quarters of a limit'),
      stale: count('Of all accounts: no snapshot within five minutes'),
      unwatched: count('Of all accounts: in use without a loss limit'),
      clockOff: count("Of all accounts: the broker clock and the server's disagree"),
      clockSuspect: Type.Optional(
        words(CLOCK_SUSPECTS, {
          description:
            "Which clock is wrong, if clockOff is above 0: the server's own, if most of the fed accounts are off by the same amount",
        }),
      ),
      all: count('All accounts'),
      accounts: Type.Array(overviewAccount, { maxItems: MAX_OVERVIEW_PAGE }),
    }),
  },
});

/** Currencies of one user's accounts that are summed up. */
const MAX_CURRENCIES = 200;

export const readAccountTotalsOperation = defineOperation({
  operationId: 'readAccountTotals',
  method: 'GET',
  path: '/users/current/account-totals',
  base: 'risk',
  scope: 'read',
  summary: 'Totals of accounts by currency',
  description:
    'Sums of the accounts that match, for each currency separately: nothing is converted. An account counts if its figure is known.',
  querystring: Type.Object(which),
  response: {
    200: record('AccountTotals', {
      asOf: isoTime('When the figures were read'),
      total: count('Accounts that match'),
      currencies: Type.Array(
        record('CurrencyTotals', {
          currency,
          accounts: count('Accounts of the currency'),
          balance: amount('Sum of their balances'),
          balances: count('How many accounts have one'),
          equity: amount('Sum of their equities'),
          equities: count('How many accounts have one'),
          openProfit: amount('Sum of equity less balance, of accounts with both'),
          stale: count('How many of the equities are older than five minutes'),
        }),
        { maxItems: MAX_CURRENCIES, description: 'In the order of their codes' },
      ),
    }),
  },
});
export type CurrencyTotalsRecord = Static<
  (typeof readAccountTotalsOperation.response)[200]
>['currencies'][number];
