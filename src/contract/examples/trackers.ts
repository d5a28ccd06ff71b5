import type { Examples } from './example.ts';

export const TRACKERS_EXAMPLES: Examples = {
  readAccountsOverview: {
    query: {
      filter: 'exceeded',
      sort: 'usedLimit',
      order: 'descending',
    },
    answer: {
      asOf: '2026-03-02T11:05:02.000Z',
      total: 1,
      exceeded: 1,
      near: 0,
      stale: 0,
      unwatched: 0,
      all: 1,
      accounts: [
        {
          id: 'challenge-1',
          name: 'Challenge 1, phase 2',
          login: '700001',
          platform: 'p5',
          broker: 'Example',
          currency: 'USD',
          labels: ['Phase 2'],
          state: 'live',
          ageSeconds: 2,
          lossPerHour: 219.8,
          trackers: 1,
          unwatched: false,
          recentEquity: [9800, 9580.2],
          balance: 10093,
          equity: 9580.2,
          lastUpdate: '2026-03-02 13:05:00.000',
          worstTracker: {
            id: '14e8c445-b3fb-4790-9f33-6a3b3e2a3ed2',
            name: 'Daily loss 5 %',
            used: 1.0227306492348833,
            exceeded: true,
            floor: 9591.675,
            toFloor: -11.475,
            secondsToReset: 39298,
          },
        },
      ],
    },
  },
  readAccountTotals: {
    query: { label: 'Phase 2' },
    answer: {
      asOf: '2026-03-02T11:05:02.000Z',
      total: 1,
      currencies: [
        {
          currency: 'USD',
          accounts: 1,
          balance: 10_093,
          balances: 1,
          equity: 9580.2,
          equities: 1,
          openProfit: -512.8,
          stale: 0,
        },
      ],
    },
  },
  saveAccountView: {
    params: { name: 'Phase 2, nearest first' },
    body: { label: 'Phase 2', filter: 'near', sort: 'usedLimit', order: 'descending' },
  },
  listAccountViews: {
    answer: [
      {
        name: 'Phase 2, nearest first',
        changedAt: '2026-03-02T08:00:00.000Z',
        label: 'Phase 2',
        filter: 'near',
        sort: 'usedLimit',
        order: 'descending',
      },
    ],
  },
  deleteAccountView: { params: { name: 'Phase 2, nearest first' } },
  saveRuleTemplate: {
    params: { name: 'Daily loss 500 USD' },
    body: { currency: 'USD', rule: { period: 'date', absoluteDrawdownThreshold: 500 } },
  },
  listRuleTemplates: {
    answer: [
      {
        name: 'Daily loss 500 USD',
        changedAt: '2026-03-02T08:00:00.000Z',
        currency: 'USD',
        rule: { period: 'date', absoluteDrawdownThreshold: 500 },
      },
    ],
  },
  deleteRuleTemplate: { params: { name: 'Daily loss 500 USD' } },
  recordSnapshots: {
    body: [
      {
        accountId: 'challenge-1',
        brokerTime: '2026-03-02 12:00:00.000',
        balance: 10096.5,
        equity: 10096.5,
      },
      {
        accountId: 'challenge-1',
        brokerTime: '2026-03-02 12:30:00.000',
        balance: 10093,
        equity: 9800,
      },
      {
        accountId: 'challenge-1',
        brokerTime: '2026-03-02 13:05:00.000',
        balance: 10093,
        equity: 9580.2,
      },
    ],
    answer: {
      accepted: 3,
      late: 0,
    },
  },
  readAccountStanding: {
    params: { accountId: 'challenge-1' },
    answer: {
      state: 'live',
      unwatched: false,
      brokerTime: '2026-03-02 13:05:00.000',
      ageSeconds: 2,
      balance: 10093,
      equity: 9580.2,
      dayProfit: -516.3,
      lossPerHour: 219.8,
      limits: [
        {
          trackerId: '14e8c445-b3fb-4790-9f33-6a3b3e2a3ed2',
          name: 'Daily loss 5 %',
          startBrokerTime: '2026-03-02 00:00:00.000',
          endBrokerTime: '2026-03-02 23:59:59.999',
          secondsToReset: 39298,
          floor: 9591.675,
          toFloor: -11.475,
          used: 1.0227306492348833,
          exceeded: 'drawdown',
        },
      ],
    },
  },
  readEquityDrawdown: {
    params: { accountId: 'challenge-1' },
    query: { startTime: '2026-03-02 00:00:00', endTime: '2026-03-03 00:00:00' },
    answer: {
      deepest: 0.05113653246174417,
      gain: -0.05113653246174417,
      points: [
        {
          startBrokerTime: '2026-03-02 12:00:00.000',
          below: 0.0293666121923438,
          index: 0.97063339,
        },
        {
          startBrokerTime: '2026-03-02 13:00:00.000',
          below: 0.05113653246174417,
          index: 0.94886347,
        },
      ],
      spells: [
        {
          startBrokerTime: '2026-03-02 12:00:00.000',
          troughBrokerTime: '2026-03-02 13:00:00.000',
          depth: 0.05113653246174417,
        },
      ],
      transfers: [{ brokerTime: '2026-03-02 08:00:00.000', amount: 10000 }],
    },
  },
  readLimitSteps: {
    params: { accountId: 'challenge-1' },
    query: { startTime: '2026-03-02 00:00:00', endTime: '2026-03-03 00:00:00' },
    answer: [
      {
        trackerId: '14e8c445-b3fb-4790-9f33-6a3b3e2a3ed2',
        name: 'Daily loss 5 %',
        steps: [
          {
            startBrokerTime: '2026-03-02 00:00:00.000',
            endBrokerTime: '2026-03-02 23:59:59.999',
            floor: 9591.675,
          },
        ],
      },
    ],
  },
  readEquityChart: {
    params: {
      accountId: 'challenge-1',
    },
    query: {
      startTime: '2026-03-02 00:00:00',
      endTime: '2026-03-03 00:00:00',
    },
    answer: [
      {
        startBrokerTime: '2026-03-02 12:00:00.000',
        endBrokerTime: '2026-03-02 12:59:59.999',
        averageBalance: 10096.5,
        minBalance: 10093,
        maxBalance: 10096.5,
        averageEquity: 10096.5,
        minEquity: 9800,
        maxEquity: 10096.5,
        startBalance: 10096.5,
        startEquity: 10096.5,
        lastBalance: 10093,
        lastEquity: 9800,
      },
      {
        startBrokerTime: '2026-03-02 13:00:00.000',
        endBrokerTime: '2026-03-02 13:59:59.999',
        averageBalance: 10093,
        minBalance: 10093,
        maxBalance: 10093,
        averageEquity: 9580.2,
        minEquity: 9580.2,
        maxEquity: 9580.2,
        startBalance: 10093,
        startEquity: 9580.2,
        lastBalance: 10093,
        lastEquity: 9580.2,
      },
    ],
  },
  listTrackers: {
    params: {
      accountId: 'challenge-1',
    },
    headers: {
      'api-version': 1,
    },
    answer: [
      {
        _id: '14e8c445-b3fb-4790-9f33-6a3b3e2a3ed2',
        name: 'Daily loss 5 %',
        period: 'date',
        relativeDrawdownThreshold: 0.05,
      },
    ],
  },
  createTracker: {
    params: {
      accountId: 'challenge-1',
    },
    body: {
      name: 'Daily loss 5 %',
      period: 'date',
      relativeDrawdownThreshold: 0.05,
    },
    answer: {
      id: '14e8c445-b3fb-4790-9f33-6a3b3e2a3ed2',
    },
  },
  previewTracker: {
    params: {
      accountId: 'challenge-1',
    },
    body: {
      name: 'Daily loss 3 %',
      period: 'date',
      relativeDrawdownThreshold: 0.03,
    },
    answer: {
      periods: [
        {
          startBrokerTime: '2026-03-02 00:00:00.000',
          period: 'date',
          periodStatus: 'running',
          maxAbsoluteDrawdown: 516.3,
          maxRelativeDrawdown: 0.05113653246174417,
          maxAbsoluteProfit: 0,
          maxRelativeProfit: 0,
          thresholdExceeded: true,
          tradeDayCount: 1,
          endBrokerTime: '2026-03-02 23:59:59.999',
          initialBalance: 10096.5,
          maxDrawdownTime: '2026-03-02 13:00:00.000',
          exceededThresholdType: 'drawdown',
        },
      ],
      events: [
        {
          startBrokerTime: '2026-03-02 00:00:00.000',
          brokerTime: '2026-03-02 13:00:00.000',
          exceededThresholdType: 'drawdown',
          absoluteDrawdown: 516.3,
          relativeDrawdown: 0.05113653246174417,
          absoluteProfit: 0,
          relativeProfit: 0,
        },
      ],
      startBrokerTime: '2026-03-02 00:00:00.000',
      endBrokerTime: '2026-03-02 13:05:00.000',
    },
  },
  readTracker: {
    params: {
      accountId: 'challenge-1',
      id: '14e8c445-b3fb-4790-9f33-6a3b3e2a3ed2',
    },
    answer: {
      _id: '14e8c445-b3fb-4790-9f33-6a3b3e2a3ed2',
      name: 'Daily loss 5 %',
      period: 'date',
      relativeDrawdownThreshold: 0.05,
    },
  },
  renameTracker: {
    params: {
      accountId: 'challenge-1',
      id: '14e8c445-b3fb-4790-9f33-6a3b3e2a3ed2',
    },
    body: {
      name: 'Daily loss',
    },
  },
  deleteTracker: {
    params: {
      accountId: 'challenge-1',
      id: '14e8c445-b3fb-4790-9f33-6a3b3e2a3ed2',
    },
  },
  readTrackerByName: {
    params: {
      accountId: 'challenge-1',
      name: 'Daily loss 5 %',
    },
    answer: {
      _id: '14e8c445-b3fb-4790-9f33-6a3b3e2a3ed2',
      name: 'Daily loss 5 %',
      period: 'date',
      relativeDrawdownThreshold: 0.05,
    },
  },
  readTrackerStatistics: {
    params: {
      accountId: 'challenge-1',
      id: '14e8c445-b3fb-4790-9f33-6a3b3e2a3ed2',
    },
    query: {
      limit: 7,
      realTime: true,
    },
    answer: [
      {
        startBrokerTime: '2026-03-02 00:00:00.000',
        period: 'date',
        periodStatus: 'running',
        maxAbsoluteDrawdown: 516.3,
        maxRelativeDrawdown: 0.05113653246174417,
        maxAbsoluteProfit: 0,
        maxRelativeProfit: 0,
        thresholdExceeded: true,
        tradeDayCount: 1,
        endBrokerTime: '2026-03-02 23:59:59.999',
        initialBalance: 10096.5,
        maxDrawdownTime: '2026-03-02 13:05:00.000',
        exceededThresholdType: 'drawdown',
      },
    ],
  },
};
