import type { Examples } from './example.ts';

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
      createdAt: '2026-03-02T08:00:00.000Z',
      connection: {
        state: 'untried',
      },
    },
  },
  deleteProvisioningProfile: {
    params: {
      profileId: 'c41e7f0a-90d2-4f1b-8a35-2d6b7e9c1f52',
    },
  },
};
