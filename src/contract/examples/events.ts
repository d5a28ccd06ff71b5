import type { Examples } from './example.ts';

export const EVENTS_EXAMPLES: Examples = {
  streamDrawdownEvents: {
    query: {
      previousSequenceNumber: 0,
      limit: 100,
    },
    answer: [
      {
        sequenceNumber: 1,
        accountId: 'challenge-1',
        trackerId: '14e8c445-b3fb-4790-9f33-6a3b3e2a3ed2',
        startBrokerTime: '2026-03-02 00:00:00.000',
        period: 'date',
        brokerTime: '2026-03-02 13:05:00.000',
        absoluteDrawdown: 516.3,
        relativeDrawdown: 0.05113653246174417,
        endBrokerTime: '2026-03-02 23:59:59.999',
      },
    ],
  },
  followDrawdownEvents: {
    query: {
      accountId: 'challenge-1',
    },
    answer:
      'retry: 1000\n\nid: 1\ndata: {"sequenceNumber":1,"accountId":"challenge-1","trackerId":"14e8c445-b3fb-4790-9f33-6a3b3e2a3ed2","startBrokerTime":"2026-03-02 00:00:00.000","endBrokerTime":"2026-03-02 23:59:59.999","period":"date","brokerTime":"2026-03-02 13:05:00.000","absoluteDrawdown":516.3,"relativeDrawdown":0.05113653246174417}\n\n',
  },
  streamTrackerEvents: {
    query: {
      previousSequenceNumber: 0,
      wait: 10,
    },
    answer: [
      {
        sequenceNumber: 1,
        accountId: 'challenge-1',
        trackerId: '14e8c445-b3fb-4790-9f33-6a3b3e2a3ed2',
        startBrokerTime: '2026-03-02 00:00:00.000',
        period: 'date',
        brokerTime: '2026-03-02 13:05:00.000',
        absoluteDrawdown: 516.3,
        relativeDrawdown: 0.05113653246174417,
        absoluteProfit: 0,
        relativeProfit: 0,
        exceededThresholdType: 'drawdown',
        endBrokerTime: '2026-03-02 23:59:59.999',
      },
    ],
  },
  followTrackerEvents: {
    headers: {
      'last-event-id': 0,
    },
    answer:
      'retry: 1000\n\nid: 1\ndata: {"sequenceNumber":1,"accountId":"challenge-1","trackerId":"14e8c445-b3fb-4790-9f33-6a3b3e2a3ed2","startBrokerTime":"2026-03-02 00:00:00.000","endBrokerTime":"2026-03-02 23:59:59.999","period":"date","brokerTime":"2026-03-02 13:05:00.000","absoluteDrawdown":516.3,"relativeDrawdown":0.05113653246174417,"absoluteProfit":0,"relativeProfit":0,"exceededThresholdType":"drawdown"}\n\n',
  },
  readTrackerEventsByBrokerTime: {
    query: {
      startBrokerTime: '2026-03-02 00:00:00',
      endBrokerTime: '2026-03-02 23:59:59.999',
    },
    answer: [
      {
        sequenceNumber: 1,
        accountId: 'challenge-1',
        trackerId: '14e8c445-b3fb-4790-9f33-6a3b3e2a3ed2',
        startBrokerTime: '2026-03-02 00:00:00.000',
        period: 'date',
        brokerTime: '2026-03-02 13:05:00.000',
        absoluteDrawdown: 516.3,
        relativeDrawdown: 0.05113653246174417,
        absoluteProfit: 0,
        relativeProfit: 0,
        exceededThresholdType: 'drawdown',
        endBrokerTime: '2026-03-02 23:59:59.999',
      },
    ],
  },
  readEvidence: {
    params: {
      sequenceNumber: '1',
    },
    answer: {
      event: {
        sequenceNumber: 1,
        accountId: 'challenge-1',
        trackerId: '14e8c445-b3fb-4790-9f33-6a3b3e2a3ed2',
        startBrokerTime: '2026-03-02 00:00:00.000',
        period: 'date',
        brokerTime: '2026-03-02 13:05:00.000',
        absoluteDrawdown: 516.3,
        relativeDrawdown: 0.05113653246174417,
        absoluteProfit: 0,
        relativeProfit: 0,
        exceededThresholdType: 'drawdown',
        endBrokerTime: '2026-03-02 23:59:59.999',
      },
      initialBalance: 10096.5,
      baseline: 10096.5,
      allowed: 504.825,
      inclusive: false,
      adjustment: 0,
      balance: 10093,
      equity: 9580.2,
      before: [
        {
          brokerTime: '2026-03-02 12:00:00.000',
          balance: 10096.5,
          equity: 10096.5,
        },
        {
          brokerTime: '2026-03-02 12:30:00.000',
          balance: 10093,
          equity: 9800,
        },
        {
          brokerTime: '2026-03-02 13:05:00.000',
          balance: 10093,
          equity: 9580.2,
        },
      ],
      after: [],
      complete: false,
    },
  },
  listWebhooks: {
    answer: [
      {
        id: '5f0d3c1e-7a2b-4c8d-9e6f-1a2b3c4d5e6f',
        url: 'https://hooks.example.com/plimsoll',
        events: ['drawdown'],
        createdAt: '2026-03-02T08:00:00.000Z',
        lastSequenceNumber: 1,
        failedAttempts: 0,
      },
    ],
  },
  createWebhook: {
    body: {
      url: 'https://hooks.example.com/plimsoll',
      events: ['drawdown'],
    },
    answer: {
      id: '5f0d3c1e-7a2b-4c8d-9e6f-1a2b3c4d5e6f',
      secret: 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=',
    },
  },
  testWebhook: {
    params: {
      id: '5f0d3c1e-7a2b-4c8d-9e6f-1a2b3c4d5e6f',
    },
    answer: {
      delivered: false,
      result: 'getaddrinfo ENOTFOUND hooks.example.com',
    },
  },
  deleteWebhook: {
    params: {
      id: '5f0d3c1e-7a2b-4c8d-9e6f-1a2b3c4d5e6f',
    },
  },
  listDeadLetters: {
    params: {
      id: '5f0d3c1e-7a2b-4c8d-9e6f-1a2b3c4d5e6f',
    },
    query: {
      limit: 100,
    },
    answer: [],
  },
  replayDeadLetters: {
    params: {
      id: '5f0d3c1e-7a2b-4c8d-9e6f-1a2b3c4d5e6f',
    },
    body: {},
    answer: {
      replayed: 0,
    },
  },
  listIncidents: {
    query: { state: 'open', kind: 'drawdown' },
    answer: {
      open: 1,
      incidents: [
        {
          id: 1,
          accountId: 'challenge-1',
          accountName: 'Challenge 1, phase 2',
          login: '700001',
          currency: 'USD',
          brokerTime: '2026-03-02 13:05:00.000',
          events: [
            {
              sequenceNumber: 1,
              accountId: 'challenge-1',
              trackerId: '14e8c445-b3fb-4790-9f33-6a3b3e2a3ed2',
              trackerName: 'Daily loss 5 %',
              startBrokerTime: '2026-03-02 00:00:00.000',
              period: 'date',
              brokerTime: '2026-03-02 13:05:00.000',
              absoluteDrawdown: 516.3,
              relativeDrawdown: 0.05113653246174417,
              absoluteProfit: 0,
              relativeProfit: 0,
              exceededThresholdType: 'drawdown',
              endBrokerTime: '2026-03-02 23:59:59.999',
            },
          ],
          acknowledged: false,
          assignee: 'Ben',
          entries: [
            {
              at: '2026-03-02T11:06:40.000Z',
              author: 'risk desk',
              kind: 'assigned',
              words: 'Ben',
            },
          ],
        },
      ],
    },
  },
  readIncident: {
    params: { id: '1' },
    answer: {
      id: 1,
      accountId: 'challenge-1',
      accountName: 'Challenge 1, phase 2',
      login: '700001',
      currency: 'USD',
      brokerTime: '2026-03-02 13:05:00.000',
      events: [
        {
          sequenceNumber: 1,
          accountId: 'challenge-1',
          trackerId: '14e8c445-b3fb-4790-9f33-6a3b3e2a3ed2',
          trackerName: 'Daily loss 5 %',
          startBrokerTime: '2026-03-02 00:00:00.000',
          period: 'date',
          brokerTime: '2026-03-02 13:05:00.000',
          absoluteDrawdown: 516.3,
          relativeDrawdown: 0.05113653246174417,
          absoluteProfit: 0,
          relativeProfit: 0,
          exceededThresholdType: 'drawdown',
          endBrokerTime: '2026-03-02 23:59:59.999',
        },
      ],
      acknowledged: false,
      assignee: 'Ben',
      entries: [
        {
          at: '2026-03-02T11:06:40.000Z',
          author: 'risk desk',
          kind: 'assigned',
          words: 'Ben',
        },
      ],
    },
  },
  handleIncidents: {
    body: { ids: [1], acknowledged: true, assignee: 'Ben', note: 'Called the trader' },
  },
};
