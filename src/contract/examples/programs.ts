import type { Examples } from './example.ts';

const PROGRAM_ID = '7d1f6c52-3a0e-4b8e-9a55-0c1d2e3f4a5b';
const ENROLMENT_ID = 'b8a2d3f4-5c6d-4e7f-8a9b-0c1d2e3f4a5b';

const RULES = [
  { kind: 'dailyLoss', share: 0.06 },
  { kind: 'maximumLoss', share: 0.1 },
];
const ACTING_RULES = RULES.map((rule) => ({
  ...rule,
  actions: [{ action: 'disableTrading', dryRun: true }],
}));
const PHASES = [
  {
    name: 'Challenge',
    rules: RULES,
    objectives: [{ kind: 'profitTarget', share: 0.1 }],
  },
];
const PROGRAM = {
  id: PROGRAM_ID,
  version: 1,
  createdAt: '2026-03-02T08:00:00.000Z',
  name: 'Two steps',
  phases: PHASES,
};
const ENROLMENT = {
  id: ENROLMENT_ID,
  programId: PROGRAM_ID,
  version: 1,
  phase: 1,
  phaseName: 'Challenge',
  state: 'running',
  initialBalance: 10_000,
  createdAt: '2026-03-02T08:00:00.000Z',
};
const STANDING = {
  figures: {
    balance: 10_093,
    equity: 9580.2,
    profit: 93,
    equityProfit: -419.8,
    dealsProfit: 96.5,
    winningDays: 96.5,
    bestDay: 96.5,
    today: 96.5,
    tradingDays: 1,
    profitableDays: 0,
  },
  rules: [
    {
      kind: 'dailyLoss',
      trackerId: `${ENROLMENT_ID}.rule-1`,
      floor: 9496.5,
      room: 83.7,
      used: 0.8605,
      ends: '2026-03-02T22:00:00.000Z',
    },
    {
      kind: 'maximumLoss',
      trackerId: `${ENROLMENT_ID}.rule-2`,
      floor: 9000,
      room: 580.2,
      used: 0.4198,
    },
  ],
  objectives: [{ kind: 'profitTarget', met: false, value: 93, needed: 1000 }],
};
const OF_ACCOUNT = { accountId: 'challenge-1' };
const OF_ENROLMENT = { ...OF_ACCOUNT, enrolmentId: ENROLMENT_ID };

export const PROGRAMS_EXAMPLES: Examples = {
  listPrograms: { answer: [{ ...PROGRAM, enrolments: 1 }] },
  createProgram: {
    body: { name: 'Two steps', phases: PHASES },
    answer: { id: PROGRAM_ID, version: 1 },
  },
  readProgram: { params: { programId: PROGRAM_ID }, query: { version: 1 }, answer: PROGRAM },
  updateProgram: {
    params: { programId: PROGRAM_ID },
    body: { name: 'Funded', phases: [{ name: 'Funded', rules: ACTING_RULES, objectives: [] }] },
    answer: { id: PROGRAM_ID, version: 2 },
  },
  deleteProgram: { params: { programId: PROGRAM_ID } },
  listProgramEnrolments: {
    params: { programId: PROGRAM_ID },
    query: { limit: 50 },
    answer: {
      total: 1,
      enrolments: [
        {
          ...ENROLMENT,
          startBrokerTime: '2026-03-02 12:00:00.000',
          ...{ rules: STANDING.rules, objectives: STANDING.objectives },
          account: {
            ...{ id: 'challenge-1', name: 'Challenge 1', currency: 'USD' },
            ...{ state: 'live', ageSeconds: 0.6 },
          },
        },
      ],
    },
  },
  listEnrolments: { params: OF_ACCOUNT, answer: [ENROLMENT] },
  createEnrolment: {
    params: OF_ACCOUNT,
    body: { programId: PROGRAM_ID, version: 1, initialBalance: 10_000 },
    answer: { id: ENROLMENT_ID },
  },
  previewEnrolment: {
    params: OF_ACCOUNT,
    body: { programId: PROGRAM_ID, version: 1, phase: 1, initialBalance: 10_000 },
    answer: {
      startBrokerTime: '2026-03-02 12:00:00.000',
      endBrokerTime: '2026-03-02 13:05:00.000',
      state: 'running',
      ...STANDING,
    },
  },
  readEnrolment: {
    params: OF_ENROLMENT,
    query: { realTime: true },
    answer: {
      ...ENROLMENT,
      startBrokerTime: '2026-03-02 12:00:00.000',
      ...STANDING,
      rulebook: PHASES[0],
      transitions: [],
    },
  },
  changeEnrolment: { params: OF_ENROLMENT, body: { state: 'paused' } },
};
