import type { Examples } from './example.ts';

const CURRENT = {
  maxAccounts: { max: 100, used: 97 },
  maxDeployedG1Accounts: { max: 100, used: 90 },
  maxDeployedG2Accounts: { max: 10, used: 0 },
  maxDeployedCopyAccounts: { max: 10, used: 0 },
  maxDedicatedIpv4: { max: 10, used: 0 },
};

export const OPERATORS_EXAMPLES: Examples = {
  listUsers: {
    query: {
      limit: 100,
    },
    answer: [
      {
        id: '8acfa082-4217-4eba-bab1-6b98070a6600',
        email: 'ana@example.com',
        createdAt: '2026-03-02T08:00:00.000Z',
        name: 'Ana',
      },
    ],
  },
  createUser: {
    body: {
      email: 'ana@example.com',
      name: 'Ana',
    },
    answer: {
      id: '8acfa082-4217-4eba-bab1-6b98070a6600',
      email: 'ana@example.com',
    },
  },
  listTokens: {
    params: {
      userId: '8acfa082-4217-4eba-bab1-6b98070a6600',
    },
    answer: [
      {
        id: '82de5df5-ca0a-4abe-a684-a254d13d4820',
        scopes: ['read', 'write', 'ingest'],
        createdAt: '2026-03-02T08:00:00.000Z',
        name: 'laptop',
      },
    ],
  },
  createToken: {
    params: {
      userId: '8acfa082-4217-4eba-bab1-6b98070a6600',
    },
    body: {
      name: 'laptop',
    },
    answer: {
      id: '82de5df5-ca0a-4abe-a684-a254d13d4820',
      token: 'plm_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
    },
  },
  deleteToken: {
    params: {
      id: '82de5df5-ca0a-4abe-a684-a254d13d4820',
    },
  },
  deleteUser: {
    params: {
      userId: '8acfa082-4217-4eba-bab1-6b98070a6600',
    },
  },
  setQuotas: {
    params: {
      userId: '8acfa082-4217-4eba-bab1-6b98070a6600',
      region: 'main',
    },
    body: {
      maxAccounts: 100,
      maxDeployedG1Accounts: 50,
      maxDeployedG2Accounts: 50,
      maxDeployedCopyAccounts: 10,
      maxDedicatedIpv4: 5,
    },
  },
  listQuotaRequests: {
    query: {
      state: 'pending',
    },
    answer: [
      {
        id: '9d1f4b7a-3c5e-4a86-b2d9-7e8f6a5b4c3d',
        userId: '8acfa082-4217-4eba-bab1-6b98070a6600',
        email: 'ana@example.com',
        region: 'main',
        state: 'pending',
        requested: {
          maxAccounts: 200,
        },
        current: CURRENT,
        createdAt: '2026-03-02T08:00:00.000Z',
        updatedAt: '2026-03-02T08:00:00.000Z',
        justification: 'A second desk opens in December',
      },
    ],
  },
  listOwnQuotaRequests: {
    query: { state: 'pending' },
    answer: [
      {
        id: '9d1f4b7a-3c5e-4a86-b2d9-7e8f6a5b4c3d',
        userId: '8acfa082-4217-4eba-bab1-6b98070a6600',
        email: 'ana@example.com',
        region: 'main',
        state: 'pending',
        requested: { maxAccounts: 200 },
        current: CURRENT,
        createdAt: '2026-03-02T08:00:00.000Z',
        updatedAt: '2026-03-02T08:00:00.000Z',
        justification: 'A second desk opens in December',
      },
    ],
  },
  decideQuotaRequest: {
    params: {
      id: '9d1f4b7a-3c5e-4a86-b2d9-7e8f6a5b4c3d',
    },
    body: {
      decision: 'approve',
      message: 'Good luck with the new desk',
    },
  },
  listMail: {
    query: {
      limit: 100,
    },
    answer: [
      {
        id: '3b9e5d7c-1f2a-4e6b-8c4d-9a0b1c2d3e4f',
        messageId: '<3b9e5d7c-1f2a-4e6b-8c4d-9a0b1c2d3e4f@localhost>',
        to: 'ana@example.com',
        subject: 'Your quota request for main was approved',
        text: 'Hello Ana,\n\nyour request for other quotas in the region main was approved.\n\nQuota                                              Before    Asked      Now\nAccounts (maxAccounts)                                100      200      200\nDeployed G1 accounts (maxDeployedG1Accounts)           50                50\nDeployed G2 accounts (maxDeployedG2Accounts)           50                50\nDeployed copy accounts (maxDeployedCopyAccounts)       10                10\nDedicated IPv4 addresses (maxDedicatedIpv4)             5                 5\n\nMessage from the operator:\n\n> Good luck with the new desk\n',
        state: 'logged',
        attempts: 1,
        queuedAt: '2026-03-02T08:00:00.000Z',
        settledAt: '2026-03-02T08:00:00.120Z',
        lastResult: 'written to the log',
      },
    ],
  },
  resendMail: {
    params: {
      id: '3b9e5d7c-1f2a-4e6b-8c4d-9a0b1c2d3e4f',
    },
  },
  listAudit: {
    query: {
      userId: '8acfa082-4217-4eba-bab1-6b98070a6600',
      limit: 100,
    },
    answer: [
      {
        id: '00000001-0000-4000-8000-000000000000',
        at: '2026-03-02T08:00:00.000Z',
        actor: 'operator',
        tokenId: 'bootstrap',
        action: 'quota.approved',
        details: {
          requestId: '9d1f4b7a-3c5e-4a86-b2d9-7e8f6a5b4c3d',
          region: 'main',
          requested: {
            maxAccounts: 200,
          },
          from: {
            maxAccounts: 100,
            maxDeployedG1Accounts: 50,
            maxDeployedG2Accounts: 50,
            maxDeployedCopyAccounts: 10,
            maxDedicatedIpv4: 5,
          },
          to: {
            maxAccounts: 200,
            maxDeployedG1Accounts: 50,
            maxDeployedG2Accounts: 50,
            maxDeployedCopyAccounts: 10,
            maxDedicatedIpv4: 5,
          },
          message: 'Good luck with the new desk',
        },
        userId: '8acfa082-4217-4eba-bab1-6b98070a6600',
      },
    ],
  },
  readCurrentToken: {
    answer: {
      scopes: ['read', 'write', 'ingest'],
      userId: '8acfa082-4217-4eba-bab1-6b98070a6600',
      name: 'risk desk',
    },
  },
  setEventMail: { body: { breaches: 'immediate', warnings: 'digest' } },
  readEventMail: { answer: { breaches: 'immediate', warnings: 'digest' } },
  listOwnTokens: {
    answer: [
      {
        id: '82de5df5-ca0a-4abe-a684-a254d13d4820',
        scopes: ['read', 'write', 'ingest'],
        createdAt: '2026-03-02T08:00:00.000Z',
        name: 'laptop',
      },
    ],
  },
  createOwnToken: {
    body: { name: 'wall screen', scopes: ['read'], expiresInDays: 90 },
    answer: {
      id: '0f6c1c1e-6f0b-4a8e-9a41-6a0c3e0f1b7d',
      token: 'plm_BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB',
    },
  },
  deleteOwnToken: { params: { id: '0f6c1c1e-6f0b-4a8e-9a41-6a0c3e0f1b7d' } },
  readLiveness: {
    answer: {
      status: 'live',
      version: '0.1.0',
    },
  },
  readReadiness: {
    answer: {
      status: 'ready',
      version: '0.1.0',
      quarantinedAccounts: 0,
      quietJobs: false,
    },
  },
  readBreachActionSwitch: {
    answer: { enabled: true },
  },
  setBreachActionSwitch: {
    body: { enabled: true },
  },
};
