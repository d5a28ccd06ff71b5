import type { Examples } from './example.ts';

export const ACCOUNTS_EXAMPLES: Examples = {
  listAccounts: {
    query: {
      limit: 100,
      offset: 0,
    },
    answer: [
      {
        id: 'challenge-1',
        name: 'Challenge 1',
        broker: 'Example',
        leverage: 100,
        brokerClock: {
          zone: 'Europe/Athens',
          shiftHours: 0,
        },
        tier: 'g1',
        copy: false,
        dedicatedIpv4: false,
        deployed: true,
        statisticsEnabled: true,
        marginMode: 'ACCOUNT_MARGIN_MODE_RETAIL_HEDGING',
        platform: 'p5',
        login: '700001',
        currency: 'USD',
        region: 'main',
        labels: ['Phase 1'],
        createdAt: '2026-03-02T08:00:00.000Z',
      },
    ],
  },
  createAccount: {
    body: {
      id: 'challenge-1',
      name: 'Challenge 1',
      platform: 'p5',
      login: '700001',
      broker: 'Example',
      currency: 'USD',
      leverage: 100,
      brokerClock: {
        zone: 'Europe/Athens',
      },
      labels: ['Phase 1'],
    },
    answer: {
      id: 'challenge-1',
    },
  },
  readAccount: {
    params: {
      accountId: 'challenge-1',
    },
    answer: {
      id: 'challenge-1',
      name: 'Challenge 1',
      broker: 'Example',
      leverage: 100,
      brokerClock: {
        zone: 'Europe/Athens',
        shiftHours: 0,
      },
      tier: 'g1',
      copy: false,
      dedicatedIpv4: false,
      deployed: true,
      statisticsEnabled: true,
      marginMode: 'ACCOUNT_MARGIN_MODE_RETAIL_HEDGING',
      platform: 'p5',
      login: '700001',
      currency: 'USD',
      region: 'main',
      labels: ['Phase 1'],
      createdAt: '2026-03-02T08:00:00.000Z',
    },
  },
  updateAccount: {
    params: {
      accountId: 'challenge-1',
    },
    body: {
      name: 'Challenge 1, phase 2',
    },
    answer: {
      id: 'challenge-1',
      name: 'Challenge 1, phase 2',
      broker: 'Example',
      leverage: 100,
      brokerClock: {
        zone: 'Europe/Athens',
        shiftHours: 0,
      },
      tier: 'g1',
      copy: false,
      dedicatedIpv4: false,
      deployed: true,
      statisticsEnabled: true,
      marginMode: 'ACCOUNT_MARGIN_MODE_RETAIL_HEDGING',
      platform: 'p5',
      login: '700001',
      currency: 'USD',
      region: 'main',
      labels: ['Phase 1'],
      createdAt: '2026-03-02T08:00:00.000Z',
    },
  },
  listAccountLabels: {
    answer: [{ label: 'Phase 1', accounts: 1, exceeded: 0, near: 0, stale: 0, unwatched: 1 }],
  },
  labelAccounts: {
    body: { accountIds: ['challenge-1'], add: ['Phase 2'], remove: ['Phase 1'] },
    answer: { changed: 1 },
  },
  deleteAccount: {
    params: {
      accountId: 'challenge-1',
    },
  },
  putMarket: {
    params: {
      accountId: 'challenge-1',
    },
    body: {
      symbols: [
        {
          symbol: 'EURUSD',
          marginMode: 'FOREX',
          contractSize: 100000,
          currencyBase: 'EUR',
          currencyProfit: 'USD',
          currencyMargin: 'EUR',
          digits: 5,
          volumeMin: 0.01,
          volumeMax: 100,
          volumeStep: 0.01,
        },
      ],
      quotes: [
        {
          symbol: 'EURUSD',
          bid: 1.0869,
          ask: 1.087,
          brokerTime: '2026-03-02 13:05:00',
        },
      ],
    },
  },
  calculateMargin: {
    params: {
      accountId: 'challenge-1',
    },
    body: {
      symbol: 'EURUSD',
      type: 'ORDER_TYPE_BUY',
      volume: 0.5,
      openPrice: 1.087,
    },
    answer: {
      margin: 543.5,
    },
  },
  listRegions: {
    answer: ['main'],
  },
  readUserQuotas: {
    answer: [
      {
        maxAccounts: {
          quota: 100,
          usageInPercents: 1,
        },
        maxDeployedG1Accounts: {
          quota: 50,
          usageInPercents: 2,
        },
        maxDeployedG2Accounts: {
          quota: 50,
          usageInPercents: 0,
        },
        maxDeployedCopyAccounts: {
          quota: 10,
          usageInPercents: 0,
        },
        maxDedicatedIpv4: {
          quota: 5,
          usageInPercents: 0,
        },
        region: 'main',
      },
    ],
  },
  readRegionQuotas: {
    params: {
      region: 'main',
    },
    answer: {
      maxAccounts: 100,
      maxDeployedG1Accounts: 50,
      maxDeployedG2Accounts: 50,
      maxDeployedCopyAccounts: 10,
      maxDedicatedIpv4: 5,
    },
  },
  requestQuotas: {
    params: {
      region: 'main',
    },
    body: {
      maxAccounts: 200,
      justification: 'A second desk opens in December',
    },
    answer: {
      id: '9d1f4b7a-3c5e-4a86-b2d9-7e8f6a5b4c3d',
    },
  },
};
