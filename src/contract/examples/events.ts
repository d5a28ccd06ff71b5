import type { Examples } from './example.ts';

const ACTION = {
  id: 7,
  accountId: 'challenge-1',
  accountName: 'Challenge 1, phase 2',
  trackerId: '14e8c445-b3fb-4790-9f33-6a3b3e2a3ed2',
  trackerName: 'Daily loss 5 %',
  sequenceNumber: 1,
  brokerTime: '2026-03-02 13:05:00.000',
  action: 'moveToGroup',
  group: 'breached\\usd',
  cause: 'limit',
  dryRun: false,
  state: 'escalated',
  attempts: 12,
  message: 'Given up after 12 attempts: the platform does not answer',
  createdAt: '2026-03-02T11:05:00.021Z',
  endedAt: '2026-03-02T11:10:12.480Z',
};

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
        kind: 'drawdown',
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
      'retry: 1000\n\nid: 1\ndata: {"kind":"drawdown","sequenceNumber":1,"accountId":"challenge-1","trackerId":"14e8c445-b3fb-4790-9f33-6a3b3e2a3ed2","startBrokerTime":"2026-03-02 00:00:00.000","endBrokerTime":"2026-03-02 23:59:59.999","period":"date","brokerTime":"2026-03-02 13:05:00.000","absoluteDrawdown":516.3,"relativeDrawdown":0.05113653246174417,"absoluteProfit":0,"relativeProfit":0,"exceededThresholdType":"drawdown"}\n\n',
  },
  readTrackerEventsByBrokerTime: {
    query: {
      startBrokerTime: '2026-03-02 00:00:00',
      endBrokerTime: '2026-03-02 23:59:59.999',
    },
    answer: [
      {
        kind: 'drawdown',
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
        kind: 'drawdown',
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
          receivedAt: '2026-03-02T10:00:00.214Z',
        },
        {
          brokerTime: '2026-03-02 12:30:00.000',
          balance: 10093,
          equity: 9800,
          receivedAt: '2026-03-02T10:30:00.187Z',
        },
        {
          brokerTime: '2026-03-02 13:05:00.000',
          balance: 10093,
          equity: 9580.2,
          receivedAt: '2026-03-02T11:05:00.201Z',
        },
      ],
      after: [],
      complete: false,
    },
  },
  readCase: {
    params: {
      sequenceNumber: '1',
    },
    answer: {
      statement: {
        format: 1,
        place: 1,
        sealedAt: '2026-03-02T11:05:00.612Z',
        accountId: 'challenge-1',
        login: '700001',
        broker: 'Example',
        currency: 'USD',
        brokerClock: { zone: 'America/New_York', shiftHours: 7 },
        sequenceNumber: 1,
        event: {
          kind: 'drawdown',
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
        tracker: {
          _id: '14e8c445-b3fb-4790-9f33-6a3b3e2a3ed2',
          name: 'Daily loss 5 %',
          period: 'date',
          relativeDrawdownThreshold: 0.05,
        },
        measured: {
          initialBalance: 10096.5,
          baseline: 10096.5,
          allowed: 504.825,
          inclusive: false,
          adjustment: 0,
          balance: 10093,
          equity: 9580.2,
          equation: '9580.2 − 0 = 9580.2; 10096.5 − 9580.2 = 516.3 > 504.825',
        },
        snapshots: {
          count: 1,
          digest: 'c3fcd3d76192e4007dfb496cca67e13b7f5b8f3c',
        },
        deals: [],
      },
      snapshots: [
        {
          brokerTime: '2026-03-02 13:05:00.000',
          ...{ balance: 10093, equity: 9580.2, receivedAt: '2026-03-02T11:05:00.201Z' },
        },
      ],
      place: 1,
      digest: '2c26b46b68ffc68ff99b453c1d30413413422d70',
      previous: 'fcde2b2edba56bf408601fb721fe9b5c338d10ee',
      hash: 'baa5a0964d3320fbc0c6a922140453c8513ea24a',
      signature: 'mFk1Yy0e5fXkq3b0QK7m2cT9cJb5o1rQv0h8lq1m2Zc4yQw7nXo2sH0d3Vt==',
      annex: {
        format: 1,
        hash: 'baa5a0964d3320fbc0c6a922140453c8513ea24a',
        generatedAt: '2026-03-03T09:12:00.000Z',
        actions: [],
        acknowledged: true,
        assignee: 'Ada',
        entries: [
          { at: '2026-03-02T11:07:31.000Z', author: 'Desk', kind: 'assigned', words: 'Ada' },
          { at: '2026-03-02T11:20:09.000Z', author: 'Desk', kind: 'acknowledged' },
        ],
        openPositions: {
          source: 'deals',
          remark: 'From the deals known now; what no deal shows is missing.',
          count: 1,
          positions: [
            {
              positionId: '9001',
              type: 'DEAL_TYPE_BUY',
              volume: 0.5,
              symbol: 'EURUSD',
              openBrokerTime: '2026-03-02 12:10:00.000',
              openPrice: 1.1013,
            },
          ],
          openResult: -512.8,
        },
      },
      annexSignature: 'Zb3kq0mT2cFk1Yy0e5fXK7m9cJb5o1rQv0h8lq1m2Zc4yQw7nXo2sH0d3Vt==',
      publicKey: 'MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=',
    },
  },
  listSeals: {
    query: {
      fromPlace: 1,
      limit: 100,
    },
    answer: {
      previous: 'fcde2b2edba56bf408601fb721fe9b5c338d10ee',
      seals: [
        {
          place: 1,
          sequenceNumber: 1,
          digest: '2c26b46b68ffc68ff99b453c1d30413413422d70',
          hash: 'baa5a0964d3320fbc0c6a922140453c8513ea24a',
          signature: 'mFk1Yy0e5fXkq3b0QK7m2cT9cJb5o1rQv0h8lq1m2Zc4yQw7nXo2sH0d3Vt==',
        },
      ],
      publicKey: 'MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=',
    },
  },
  readEvidenceKey: {
    answer: { publicKey: 'MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=' },
  },
  listWebhooks: {
    answer: [
      {
        id: '5f0d3c1e-7a2b-4c8d-9e6f-1a2b3c4d5e6f',
        url: 'https://hooks.example.com/plimsoll',
        events: ['drawdown'],
        delivery: 'single',
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
    query: { state: 'open', kind: 'drawdown', label: 'Phase 2' },
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
              kind: 'drawdown',
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
          actions: [ACTION],
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
          kind: 'drawdown',
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
      actions: [],
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
  listBreachActions: {
    query: { state: 'escalated' },
    answer: [ACTION],
  },
  readBreachActionState: {
    answer: { enabled: true, open: 0, escalated: 1 },
  },
  retryBreachActions: {
    body: {},
    answer: { retried: 0 },
  },
};
