import type { Examples } from './example.ts';

const ALLOWED = ['changeLeverage', 'setPassword', 'balanceOperation', 'closePositions'];

/** The same on both families. */
function actionExamples(
  family: 'P4' | 'P5',
  profileId: string,
  login: number,
  group: string,
): Examples {
  const params = { profileId, login };
  const headers = { 'idempotency-key': `payout-${login}` };
  const settings = { enabled: true, tradingEnabled: true, group, leverage: 100 };
  return {
    [`read${family}Groups`]: {
      params: { profileId },
      answer: [{ name: group, currency: 'USD' }],
    },
    [`read${family}AccountSettings`]: { params, answer: settings },
    [`change${family}Account`]: {
      params,
      body: { leverage: 50 },
      answer: { ...settings, leverage: 50 },
    },
    [`set${family}AccountPassword`]: {
      params,
      body: { kind: 'investor' },
      answer: { kind: 'investor', password: 'a-password-of-it' },
    },
    [`create${family}BalanceOperation`]: {
      params,
      headers,
      body: { amount: 250, comment: 'Payout 4711' },
      answer: { dealId: '73002115' },
    },
    [`read${family}Positions`]: {
      params,
      answer: [
        {
          positionId: '73002110',
          type: 'DEAL_TYPE_BUY',
          symbol: 'EURUSD',
          volume: 0.35,
          openPrice: 1.08421,
          currentPrice: 1.08457,
          profit: 12.6,
          swap: 0,
          openBrokerTime: '2026-03-02 10:15:00.000',
        },
      ],
    },
    [`read${family}PendingOrders`]: {
      params,
      answer: [
        {
          orderId: '73002120',
          type: 'ORDER_TYPE_BUY_LIMIT',
          symbol: 'EURUSD',
          volume: 0.1,
          price: 1.07,
        },
      ],
    },
    [`close${family}Positions`]: {
      params,
      body: { cancelPendingOrders: true },
      answer: {
        closed: ['73002110'],
        cancelled: ['73002120'],
        failed: [{ id: '73002111', message: 'The market is closed' }],
      },
    },
  };
}

export const PLATFORMS_EXAMPLES: Examples = {
  readP4Symbols: {
    params: {
      profileId: '0b7c1a52-6d0e-4f6e-9a43-5f1f2e3b8d41',
    },
    query: {
      group: 0,
    },
    answer: [
      {
        symbol: 'EURUSD',
        description: 'Euro vs US Dollar',
        source: '',
        currency: 'EUR',
        type: 0,
        tickSize: 0,
        tickValue: 0,
        digits: 5,
        marginMode: 'MARGIN_CALC_FOREX',
        profitMode: 'PROFIT_CALC_FOREX',
        freezeLevel: 0,
        point: 1e-5,
        multiply: 100000,
        bidTickValue: 1,
        askTickValue: 1,
        stopsLevel: 0,
        expiration: 0,
        tradeMode: 'TRADE_FULL',
      },
    ],
  },
  createP4Account: {
    params: {
      profileId: '0b7c1a52-6d0e-4f6e-9a43-5f1f2e3b8d41',
    },
    headers: {
      'idempotency-key': 'order-4711',
    },
    body: {
      email: 'bob@example.com',
      group: 'demo-usd',
      leverage: 100,
      firstName: 'Bob',
      lastName: 'Miller',
    },
    answer: {
      login: '100021',
      password: 'a-password-of-it',
      investorPassword: 'another-password',
    },
  },
  createP5Account: {
    params: {
      profileId: 'c41e7f0a-90d2-4f1b-8a35-2d6b7e9c1f52',
    },
    headers: {
      'idempotency-key': 'order-4712',
    },
    body: {
      email: 'bob@example.com',
      group: 'demo\\usd',
      leverage: 100,
      firstName: 'Bob',
      lastName: 'Miller',
      country: 'Austria',
      leadSource: 'website',
    },
    answer: {
      login: '200021',
      password: 'a-password-of-it',
      investorPassword: 'another-password',
    },
  },
  readP4Account: {
    params: {
      profileId: '0b7c1a52-6d0e-4f6e-9a43-5f1f2e3b8d41',
      login: 100001,
    },
    answer: {
      login: '100001',
      address: '17 Mill Lane',
      balance: '45158.08',
      city: 'Bristol',
      country: 'United Kingdom',
      email: 'olga.dahl.100001@example.com',
      group: 'demo-usd',
      leverage: '100',
      name: 'Olga Dahl',
      phone: '+44555011598',
      state: 'England',
      zip: 'BS1 4DJ',
      clientId: '118733',
    },
  },
  readP5Account: {
    params: {
      profileId: 'c41e7f0a-90d2-4f1b-8a35-2d6b7e9c1f52',
      login: 200001,
    },
    answer: {
      login: '200001',
      address: '109 Mill Lane',
      balance: '20667.51',
      city: 'Sydney',
      country: 'Australia',
      email: 'jonas.bauer.200001@example.com',
      group: 'demo\\usd',
      leverage: '100',
      name: 'Jonas Bauer',
      phone: '+61555004093',
      state: 'New South Wales',
      zip: '2000',
      clientId: '568107',
      leadSource: 'website',
      leadCampaign: 'spring-2026',
    },
  },
  readP4AccountInformation: {
    params: {
      profileId: '0b7c1a52-6d0e-4f6e-9a43-5f1f2e3b8d41',
      login: 100001,
    },
    answer: {
      platform: 'mt4',
      broker: 'Plimsoll Simulated Markets',
      currency: 'USD',
      balance: 45158.08,
      equity: 45170.5,
      margin: 416.2,
      freeMargin: 44754.3,
      leverage: 100,
      tradeAllowed: true,
      marginMode: 'ACCOUNT_MARGIN_MODE_RETAIL_HEDGING',
      name: 'Olga Dahl',
      login: 100001,
      credit: 0,
      marginLevel: 10852.83,
    },
  },
  readP5AccountInformation: {
    params: {
      profileId: 'c41e7f0a-90d2-4f1b-8a35-2d6b7e9c1f52',
      login: 200001,
    },
    answer: {
      platform: 'mt5',
      broker: 'Plimsoll Simulated Markets',
      currency: 'USD',
      balance: 20667.51,
      equity: 20660.55,
      margin: 379.09,
      freeMargin: 20281.46,
      leverage: 100,
      tradeAllowed: true,
      marginMode: 'ACCOUNT_MARGIN_MODE_RETAIL_HEDGING',
      name: 'Jonas Bauer',
      login: 200001,
      credit: 0,
      marginLevel: 5450.04,
    },
  },
  readP4GroupAccounts: {
    params: {
      profileId: '0b7c1a52-6d0e-4f6e-9a43-5f1f2e3b8d41',
      groupName: 'demo-usd',
    },
    answer: [
      {
        login: '100001',
        address: '17 Mill Lane',
        balance: '45158.08',
        city: 'Bristol',
        country: 'United Kingdom',
        email: 'olga.dahl.100001@example.com',
        group: 'demo-usd',
        leverage: '100',
        name: 'Olga Dahl',
        phone: '+44555011598',
        state: 'England',
        zip: 'BS1 4DJ',
        clientId: '118733',
      },
    ],
  },
  readP5GroupAccounts: {
    params: {
      profileId: 'c41e7f0a-90d2-4f1b-8a35-2d6b7e9c1f52',
      groupName: 'demo\\usd',
    },
    answer: [
      {
        login: '200001',
        address: '109 Mill Lane',
        balance: '20667.51',
        city: 'Sydney',
        country: 'Australia',
        email: 'jonas.bauer.200001@example.com',
        group: 'demo\\usd',
        leverage: '100',
        name: 'Jonas Bauer',
        phone: '+61555004093',
        state: 'New South Wales',
        zip: '2000',
        clientId: '568107',
      },
    ],
  },
  listProvisioningProfiles: {
    query: {
      limit: 100,
    },
    answer: [
      {
        id: 'c41e7f0a-90d2-4f1b-8a35-2d6b7e9c1f52',
        name: 'Simulated p5 platform',
        platform: 'p5',
        kind: 'simulated',
        brokerClock: {
          zone: 'America/New_York',
          shiftHours: 7,
        },
        allowedActions: ALLOWED,
        createdAt: '2026-03-02T08:00:00.000Z',
        connection: {
          state: 'untried',
        },
      },
    ],
  },
  createProvisioningProfile: {
    body: {
      name: 'Simulated p5 platform',
      platform: 'p5',
      kind: 'simulated',
      allowedActions: ALLOWED,
    },
    answer: {
      id: 'c41e7f0a-90d2-4f1b-8a35-2d6b7e9c1f52',
    },
  },
  readProvisioningProfile: {
    params: {
      profileId: 'c41e7f0a-90d2-4f1b-8a35-2d6b7e9c1f52',
    },
    answer: {
      id: 'c41e7f0a-90d2-4f1b-8a35-2d6b7e9c1f52',
      name: 'Simulated p5 platform',
      platform: 'p5',
      kind: 'simulated',
      brokerClock: {
        zone: 'America/New_York',
        shiftHours: 7,
      },
      allowedActions: ALLOWED,
      createdAt: '2026-03-02T08:00:00.000Z',
      connection: {
        state: 'untried',
      },
    },
  },
  updateProvisioningProfile: {
    params: {
      profileId: 'c41e7f0a-90d2-4f1b-8a35-2d6b7e9c1f52',
    },
    body: {
      name: 'Demo platform',
    },
    answer: {
      id: 'c41e7f0a-90d2-4f1b-8a35-2d6b7e9c1f52',
      name: 'Demo platform',
      platform: 'p5',
      kind: 'simulated',
      brokerClock: {
        zone: 'America/New_York',
        shiftHours: 7,
      },
      allowedActions: ALLOWED,
      createdAt: '2026-03-02T08:00:00.000Z',
      connection: {
        state: 'working',
        lastSuccessAt: '2026-03-02T08:05:00.000Z',
      },
    },
  },
  deleteProvisioningProfile: {
    params: {
      profileId: 'c41e7f0a-90d2-4f1b-8a35-2d6b7e9c1f52',
    },
  },
  readP5Symbols: {
    params: {
      profileId: 'c41e7f0a-90d2-4f1b-8a35-2d6b7e9c1f52',
    },
    query: {
      mask: '*EURUSD*',
    },
    answer: [
      {
        symbol: 'EURUSD',
        path: 'Forex\\EURUSD',
        description: 'Euro vs US Dollar',
        currencyBase: 'EUR',
        currencyProfit: 'USD',
        currencyMargin: 'EUR',
        digits: 5,
        contractSize: 100000,
        marginMode: 'SYMBOL_CALC_MODE_FOREX',
        tradeMode: 'SYMBOL_TRADE_MODE_FULL',
        volumeMin: 0.01,
        volumeMax: 100,
        volumeStep: 0.01,
        tickSize: 0.00001,
        tickValue: 1,
        expiration: 0,
      },
    ],
  },
  ...actionExamples('P4', '0b7c1a52-6d0e-4f6e-9a43-5f1f2e3b8d41', 100002, 'demo-usd'),
  ...actionExamples('P5', 'c41e7f0a-90d2-4f1b-8a35-2d6b7e9c1f52', 200002, 'demo\\usd'),
};
