import type { NewProgram } from '../../src/contract/operations/programs.ts';
import { brokerTimeAt, formatBrokerTime } from '../../src/domain/broker-time.ts';
import { createAccount } from '../../src/services/accounts/create-account.ts';
import { recordDeals } from '../../src/services/deals/record-deals.ts';
import { createEnrolment } from '../../src/services/enrolments/change-enrolments.ts';
import { createProgram } from '../../src/services/programs/manage-programs.ts';
import { recordSnapshots } from '../../src/services/snapshots/record-snapshots.ts';
import { createTracker } from '../../src/services/trackers/create-tracker.ts';
import { presentTracker } from '../../src/services/trackers/present-tracker.ts';
import { joined, usableTrackers } from '../faults/risk-feed.ts';
import { Random } from '../simulation/random.ts';
import {
  type SimulatedAccount,
  START_BALANCE,
  simulatedAccounts,
} from '../simulation/simulated-accounts.ts';
import { admissible, simulateFeed } from '../simulation/simulated-feed.ts';
import { withPositions } from '../simulation/simulated-trades.ts';
import { SIMULATION_DIGITS } from '../simulation/wire.ts';
import type { Answer } from './calls.ts';
import { type ClientParts, SETTINGS } from './clients.ts';

/** Prefix of the ids of accounts that a feeder has to itself. */
export const FED = 'fed';
const START_UTC_MS = Date.UTC(2026, 9, 1, 17);
const DAYS = 4;
const PACE_MINUTES = 60;
const PAUSE_MS = 10;
/** Then it sends again: less than a world lasts. */
const PATIENCE_MS = 700;
/** For an enrolment, which asks for the account as of now. */
const LONG_PATIENCE_MS = 3000;

/** Few positions are traded in some days: they break these soon. */
const RULES: NewProgram['phases'][number]['rules'] = [
  { kind: 'allowedSymbols', excluded: ['XAU*'], onBreach: 'record', failsAt: 2 },
  { kind: 'openAtOnce', lots: 0.5 },
  { kind: 'openAtOnce', positions: 2, onBreach: 'record', failsAt: 2 },
  { kind: 'openAtOnce', positions: 1, per: 'symbol' },
  { kind: 'hedging', onBreach: 'record', failsAt: 3 },
  { kind: 'closedHours', starts: '22:30', ends: '01:15', forbids: 'holding' },
  { kind: 'holdingTime', seconds: 7200 },
];

type Work = Parameters<ClientParts['calls']['send']>[3];

/**
 * Sends the true events of its own account, one request after another: snapshots in order, their
 * deals before, with or after them, in whole seconds or never, and payouts around midnight.
 * Unanswered requests are repeated, so the right verdict is known.
 */
export class Feeder {
  readonly #parts: ClientParts;
  readonly #userId: string;
  readonly #seed: number;
  readonly #isEnrolled: boolean;

  /** If it is enrolled, in a phase that only rules over deals end, its deals are trades. */
  constructor(parts: ClientParts, userId: string, seed: number, isEnrolled: boolean) {
    this.#parts = parts;
    this.#userId = userId;
    this.#seed = seed;
    this.#isEnrolled = isEnrolled;
  }

  async live(): Promise<void> {
    const [account] = simulatedAccounts(this.#seed, 1, 3, START_UTC_MS, FED);
    if (!account) return;
    usableTrackers(account);
    await this.#create(account);
    const feed = { seed: this.#seed, accounts: [account], startUtcMs: START_UTC_MS, days: DAYS };
    const plain = [...simulateFeed({ ...feed, pace: PACE_MINUTES, faults: 'deals' })];
    const random = new Random(this.#seed);
    if (this.#isEnrolled) await this.#enrol(account, random);
    const batches = this.#isEnrolled ? withPositions(plain, random) : plain;
    for (const batch of joined([...admissible(batches)])) {
      if (this.#isOver) return;
      if (batch.kind === 'deals') {
        await this.#retry('fed deals', ({ context }, principal) =>
          recordDeals(context, principal, account.id, batch.deals),
        );
      } else {
        const body = Buffer.from(JSON.stringify(batch.snapshots));
        await this.#retry('fed snapshots', ({ reader, snapshots }, principal) =>
          recordSnapshots({ reader, snapshots }, principal, {
            body,
            isNdjson: false,
            idempotencyKey: undefined,
          }),
        );
      }
    }
  }

  get #isOver(): boolean {
    return this.#parts.world.nowMs >= this.#parts.untilMs;
  }

  async #create({ id, clock, trackers }: SimulatedAccount): Promise<void> {
    const account = { id, name: id, platform: 'p5', login: id, broker: 'Sim' } as const;
    const input = { ...account, currency: 'USD', leverage: 100, brokerClock: clock };
    await this.#retry('create fed account', ({ context }, principal) =>
      createAccount({ ...context, ...SETTINGS }, principal, input),
    );
    for (const tracker of trackers) {
      const { _id, ...fields } = presentTracker(tracker, SIMULATION_DIGITS);
      await this.#retry('create fed tracker', ({ context }, principal) =>
        createTracker(context, principal, id, fields),
      );
    }
  }

  async #enrol({ id, clock }: SimulatedAccount, random: Random): Promise<void> {
    const rules = [random.pick(RULES), random.pick(RULES)];
    const startBrokerTime = formatBrokerTime(brokerTimeAt(START_UTC_MS, clock));
    const program = { name: FED, phases: [{ name: 'Phase', rules, objectives: [] }] };
    await this.#retry(
      'enrol fed account',
      async ({ context, live }, principal) => {
        const name = `${FED} ${context.newId()}`;
        const { id: programId } = await createProgram(context, principal, { ...program, name });
        const input = { programId, initialBalance: START_BALANCE, startBrokerTime };
        return createEnrolment({ ...context, live }, principal, id, input);
      },
      LONG_PATIENCE_MS,
    );
  }

  /** Repeats until it is answered; existing things are refused. */
  async #retry(what: string, work: Work, patienceMs = PATIENCE_MS): Promise<void> {
    const { world, calls, anyProcess } = this.#parts;
    while (!this.#isOver) {
      const process = anyProcess();
      const asked = process && calls.send(process, what, this.#userId, work);
      const answer = await Promise.race([this.#pause(patienceMs), ...(asked ? [asked] : [])]);
      world.count(`${what}: ${answer.kind}`);
      if (answer.kind === 'done') return;
      if (answer.kind === 'refused' && answer.code !== 'unavailable') return;
      await this.#pause(PAUSE_MS);
    }
  }

  #pause(ms: number): Promise<Answer<unknown>> {
    const unknown = { kind: 'unknown' } as const;
    return new Promise((resolve) => this.#parts.world.after(ms, () => resolve(unknown)));
  }
}
