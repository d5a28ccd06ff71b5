import type { DealRecord } from '../../src/contract/operations/deals.ts';
import type { NewProgram } from '../../src/contract/operations/programs.ts';
import type { NewTracker } from '../../src/contract/operations/trackers.ts';
import { formatBrokerTime } from '../../src/domain/broker-time.ts';
import { createAccount } from '../../src/services/accounts/create-account.ts';
import { deleteAccount } from '../../src/services/accounts/delete-account.ts';
import { updateAccount } from '../../src/services/accounts/update-account.ts';
import { recordDeals } from '../../src/services/deals/record-deals.ts';
import {
  changeEnrolment,
  createEnrolment,
} from '../../src/services/enrolments/change-enrolments.ts';
import { createProgram } from '../../src/services/programs/manage-programs.ts';
import { recordSnapshots } from '../../src/services/snapshots/record-snapshots.ts';
import { readTrackerEvents } from '../../src/services/tracker-events/read-events.ts';
import { deleteTracker } from '../../src/services/trackers/change-trackers.ts';
import { createTracker } from '../../src/services/trackers/create-tracker.ts';
import type { Answer, Calls } from './calls.ts';
import type { Desk } from './desk.ts';
import type { Habits } from './habits.ts';
import type { Ledger, Poller, Write } from './ledger.ts';
import type { SimulatedProcess } from './process.ts';
import type { Truth } from './truth.ts';
import type { World } from './world.ts';

export type ClientParts = {
  world: World;
  calls: Calls;
  ledger: Ledger;
  truth: Truth;
  /** Any process that answers; undefined while there is none. */
  anyProcess: () => SimulatedProcess | undefined;
  /** Until then new requests are sent. */
  untilMs: number;
};

const DAY_MS = 86_400_000;
const CLOCKS = [
  { zone: 'America/New_York', shiftHours: 7 },
  { zone: 'Europe/Athens', shiftHours: 0 },
  { zone: 'Etc/GMT-3', shiftHours: 0 },
];
export const SETTINGS = {
  regions: ['sim'],
  quotaDefaults: {
    maxAccounts: 1000,
    maxDeployedG1Accounts: 1000,
    maxDeployedG2Accounts: 1000,
    maxDeployedCopyAccounts: 1000,
    maxDedicatedIpv4: 1000,
  },
};

/** All clients that send requests for a user. */
export class Clients {
  readonly #parts: ClientParts;
  readonly #userId: string;
  readonly #accountIds: readonly string[];
  readonly #desk: Desk;

  constructor(parts: ClientParts, userId: string, accountIds: readonly string[], desk: Desk) {
    this.#parts = parts;
    this.#userId = userId;
    this.#accountIds = accountIds;
    this.#desk = desk;
  }

  /** Creates accounts first, then does various things, repeatedly and concurrently. */
  async write(habits: Habits): Promise<void> {
    await Promise.all(this.#accountIds.map((id) => this.#createAccount(id)));
    await Promise.all(Array.from({ length: habits.writers }, () => this.#goOn(habits)));
  }

  async #goOn(habits: Habits): Promise<void> {
    const { world } = this.#parts;
    const { random } = world;
    while (world.nowMs < this.#parts.untilMs) {
      await this.#pause(habits.meanPauseMs);
      const accountId = random.pick(this.#accountIds);
      if (random.chance(habits.deletions)) await this.#replaceAccount(accountId);
      else if (random.chance(habits.trackers)) await this.#changeTrackers(accountId);
      else if (habits.enrolments > 0 && random.chance(habits.enrolments))
        await this.#changeEnrolments(accountId);
      else if (random.chance(habits.clocks)) await this.#changeClock(accountId);
      else if (random.chance(habits.loneDeals)) await this.#sendDeals(accountId);
      else await this.#sendSnapshots(habits);
    }
  }

  /** Follows the feed and remembers its events. */
  async poll(
    name: string,
    accountId: string | undefined,
    { meanPollPauseMs }: Habits,
  ): Promise<void> {
    const { world, ledger, untilMs } = this.#parts;
    const poller: Poller = { name, userId: this.#userId, accountId, seen: [] };
    ledger.pollers.push(poller);
    // Longer than writers write: effects come a little later.
    while (world.nowMs < untilMs + 15_000) {
      await this.#pause(meanPollPauseMs);
      const askedMs = world.nowMs;
      const query = {
        accountId,
        previousSequenceNumber: poller.seen.at(-1)?.sequenceNumber ?? 0,
        limit: world.random.pick([1, 3, 1000]),
        waitSeconds: world.random.pick([0, 1, 4]),
      };
      const answer = await this.#send('poll', ({ context, feed }, principal) => {
        const { catalogue } = context;
        return readTrackerEvents(
          { catalogue, feed },
          principal,
          query,
          new AbortController().signal,
        );
      });
      if (answer.kind !== 'done') continue;
      for (const event of answer.value) {
        poller.seen.push({
          sequenceNumber: event.sequenceNumber,
          record: JSON.stringify(event),
          askedMs,
        });
      }
    }
  }

  /** Asks for accounts as of this moment. */
  async read(): Promise<void> {
    const { world, ledger, untilMs } = this.#parts;
    while (world.nowMs < untilMs) {
      await this.#pause(700);
      const accountId = world.random.pick(this.#accountIds);
      const fromMs = world.nowMs;
      const answer = await this.#send('read', async ({ context, live }) => {
        const account = await context.catalogue.account(this.#userId, accountId);
        if (!account) return undefined;
        return live.read(account.number, true, (view) => ({
          accountNumber: account.number,
          lastTimeMs: view.lastTimeMs,
          balance: view.balance,
          equity: view.equity,
        }));
      });
      if (answer.kind === 'done' && answer.value) ledger.answers.push({ fromMs, ...answer.value });
    }
  }

  async #createAccount(id: string): Promise<void> {
    const brokerClock = this.#parts.world.random.pick(CLOCKS);
    const account = { id, name: id, platform: 'p5', login: id, broker: 'Sim' } as const;
    const input = { ...account, currency: 'USD', leverage: 100, brokerClock };
    await this.#retry('create account', ({ context }, principal) =>
      createAccount({ ...context, ...SETTINGS }, principal, input),
    );
    await this.#createTracker(id);
  }

  async #replaceAccount(accountId: string): Promise<void> {
    await this.#send('delete account', ({ context }, principal) =>
      deleteAccount(context, principal, accountId),
    );
    if (this.#parts.world.random.chance(0.8)) await this.#createAccount(accountId);
  }

  async #changeTrackers(accountId: string): Promise<void> {
    const { world, ledger } = this.#parts;
    const own = ledger.trackers.filter(
      (known) => known.userId === this.#userId && known.accountId === accountId,
    );
    if (own.length === 0 || world.random.chance(0.7)) return this.#createTracker(accountId);
    const { id } = world.random.pick(own);
    await this.#send('delete tracker', ({ context }, principal) =>
      deleteTracker(context, principal, accountId, id),
    );
  }

  async #createTracker(accountId: string): Promise<void> {
    const { world, ledger } = this.#parts;
    const tracker = newTracker(world, this.#desk.marketMs);
    const answer = await this.#send('create tracker', ({ context }, principal) =>
      createTracker(context, principal, accountId, tracker),
    );
    if (answer.kind !== 'done') return;
    ledger.trackers.push({ userId: this.#userId, accountId, id: answer.value.id });
  }

  async #changeEnrolments(accountId: string): Promise<void> {
    const { world, ledger } = this.#parts;
    const own = ledger.enrolments.filter(
      (known) => known.userId === this.#userId && known.accountId === accountId,
    );
    if (own.length === 0 || world.random.chance(0.5)) return this.#enrol(accountId);
    const { id } = world.random.pick(own);
    const to = world.random.pick(['paused', 'running', 'running', 'withdrawn'] as const);
    await this.#send('change enrolment', ({ context, live }, principal) =>
      changeEnrolment({ ...context, live }, principal, accountId, id, to),
    );
  }

  async #enrol(accountId: string): Promise<void> {
    const { world, ledger } = this.#parts;
    const program = newProgram(world);
    const initialBalance = this.#desk.balanceOf(accountId);
    if (initialBalance <= 0) return;
    const answer = await this.#send('enrol', async ({ context, live }, principal) => {
      const { id: programId } = await createProgram(context, principal, program);
      const input = { programId, initialBalance };
      return createEnrolment({ ...context, live }, principal, accountId, input);
    });
    if (answer.kind !== 'done') return;
    ledger.enrolments.push({ userId: this.#userId, accountId, id: answer.value.id });
  }

  async #changeClock(accountId: string): Promise<void> {
    const brokerClock = this.#parts.world.random.pick(CLOCKS);
    await this.#send('change clock', ({ context }, principal) =>
      updateAccount({ ...context, ...SETTINGS }, principal, accountId, { brokerClock }),
    );
  }

  async #sendDeals(accountId: string): Promise<void> {
    const { random } = this.#parts.world;
    const records = Array.from({ length: random.between(1, 4) }, () => this.#desk.deal(accountId));
    const write = this.#begin(
      'deals',
      [],
      records.map(({ id }) => ({ accountId, id })),
      false,
    );
    const answer = await this.#send('deals', ({ context }, principal) =>
      recordDeals(context, principal, accountId, records as DealRecord[]),
    );
    this.#end(write, answer);
  }

  async #sendSnapshots(habits: Habits): Promise<void> {
    const { world, untilMs } = this.#parts;
    const { random } = world;
    const hasKey = random.chance(habits.keyed);
    const count = random.chance(0.7) ? random.between(1, 3) : random.between(1, 30);
    const dealChance = random.chance(habits.deals) ? 0.4 : 0;
    const { wire, sent, deals } = this.#desk.rows(this.#accountIds, count, dealChance);
    const text = JSON.stringify(wire);
    const idempotencyKey = hasKey ? `${this.#userId}-${world.nowMs}` : undefined;
    const write = this.#begin(hasKey ? 'keyed snapshots' : 'snapshots', sent, deals, hasKey);
    for (;;) {
      write.attempts += 1;
      const answer = await this.#send('snapshots', ({ reader, snapshots }, principal) => {
        const body = Buffer.from(text);
        const request = { body, isNdjson: false, idempotencyKey };
        return recordSnapshots({ reader, snapshots }, principal, request);
      });
      this.#end(write, answer, answer.kind === 'done' ? answer.value.late : undefined);
      const isKnown = write.outcome !== 'unknown';
      if (isKnown || !hasKey || world.nowMs > untilMs || random.chance(0.1)) return;
      await this.#pause(300);
    }
  }

  #begin(what: string, rows: Write['rows'], deals: Write['deals'], hasKey: boolean): Write {
    const write: Write = {
      ...{ userId: this.#userId, what, rows, deals, hasKey },
      ...{ attempts: 0, fromMs: this.#parts.world.nowMs, untilMs: undefined },
      ...{ outcome: 'unknown', late: undefined },
    };
    this.#parts.ledger.writes.push(write);
    return write;
  }

  #end(write: Write, answer: Answer<unknown>, late?: number): void {
    if (answer.kind === 'unknown') return;
    if (answer.kind === 'refused' && answer.code === 'unavailable') return;
    write.outcome = answer.kind === 'done' ? 'acknowledged' : 'refused';
    write.untilMs = this.#parts.world.nowMs;
    write.late = late;
  }

  /** Repeats until there is an answer. */
  async #retry<T>(
    what: string,
    work: Parameters<typeof Calls.prototype.send<T>>[3],
  ): Promise<void> {
    while (this.#parts.world.nowMs < this.#parts.untilMs) {
      const answer = await this.#send(what, work);
      if (answer.kind !== 'unknown') return;
      await this.#pause(300);
    }
  }

  async #send<T>(
    what: string,
    work: Parameters<typeof Calls.prototype.send<T>>[3],
  ): Promise<Answer<T>> {
    const process = this.#parts.anyProcess();
    if (!process) {
      await this.#pause(100);
      return { kind: 'unknown' };
    }
    const answer = await this.#parts.calls.send(process, what, this.#userId, work);
    this.#parts.world.count(`${what}: ${answer.kind}`);
    this.#parts.world.tell(
      () => `${this.#userId}: ${what} at ${process.machine.name}: ${JSON.stringify(answer)}`,
    );
    return answer;
  }

  #pause(meanMs: number): Promise<void> {
    const { world } = this.#parts;
    return new Promise((resolve) => world.after(2 * meanMs * world.random.next(), resolve));
  }
}

function newProgram({ random, nowMs }: World): NewProgram {
  type Rule = NewProgram['phases'][number]['rules'][number];
  const rules: Rule[] = [
    random.pick<Rule>([
      { kind: 'openAtOnce', lots: 1.5 },
      { kind: 'allowedSymbols', excluded: ['XAU*'], onBreach: 'record', failsAt: 3 },
      { kind: 'holdingTime', seconds: 60, onBreach: 'record' },
      { kind: 'closedHours', starts: '12:00', ends: '13:00', forbids: 'holding' },
    ]),
    ...(random.chance(0.5) ? [{ kind: 'maximumLoss', share: 0.1 } as const] : []),
  ];
  const objectives = [{ kind: 'profitTarget', share: 0.1 } as const];
  return {
    name: `program ${nowMs} ${random.next()}`,
    phases: [{ name: 'Phase', rules, objectives }],
  };
}

function newTracker({ random, nowMs }: World, marketMs: number): NewTracker {
  const tracker: NewTracker = {
    name: `tracker ${nowMs} ${random.next()}`,
    period: random.pick(['day', 'date', 'week', 'month', 'lifetime'] as const),
    baseline: random.pick(['startBalance', 'startEquity', 'maxOfBoth', 'peakEquity'] as const),
  };
  if (random.chance(0.6)) {
    const startMs = marketMs + Math.floor((random.next() * 3 - 2.5) * DAY_MS);
    tracker.startBrokerTime = formatBrokerTime(startMs);
  }
  if (random.chance(0.8)) tracker.relativeDrawdownThreshold = random.between(5, 100) / 1000;
  if (random.chance(0.3)) tracker.absoluteDrawdownThreshold = random.between(10, 900);
  if (random.chance(0.5)) tracker.relativeProfitThreshold = random.between(5, 100) / 1000;
  if (random.chance(0.3)) tracker.adjustDeals = ['DEAL_TYPE_BALANCE'];
  return tracker;
}
