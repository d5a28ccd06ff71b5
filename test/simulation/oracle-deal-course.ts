import { type BrokerClock, brokerTimeAt } from '../../src/domain/broker-time.ts';
import type { LiveDeal } from '../../src/domain/live/live-records.ts';
import {
  type DealRule,
  type EnrolmentDefinition,
  isDealRule,
} from '../../src/domain/programs/program-definition.ts';
import { certainDeals, naiveVerdict, naiveWarnings, type WallClock } from './oracle-deal-rules.ts';
import type { Arrival } from './oracle-items.ts';
import { firstUtcOf } from './oracle-time.ts';

/** A fail by a rule over deals, and with which arrival it is known. */
export type DealEnd = { arrival: number; ruleIndex: number; timeMs: number };

/** As long as a deal may remove the ground of a fail. */
const HELD_MS = 31 * 86_400_000;

/**
 * What rules over deals say as the facts come, unless something else has ended the phase: with each
 * arrival all deals known by then are judged.
 */
export class DealCourse {
  readonly told: DealEnd[] = [];
  /** Warnings, each rule's first, until an end by deals. */
  readonly warned: DealEnd[] = [];
  isDisputed = false;
  /** It failed so long ago that nothing changes it any more. */
  isOver = false;
  /** How many deals were known by a reading, and the newest time. */
  readonly #knownAt = new Map<string, readonly [deals: number, lastMs: number]>();
  readonly #rules: readonly DealRule[];
  readonly #indices: readonly number[];
  readonly #startMs: number;
  readonly #wallOf: WallClock;
  readonly #initialBalance: number;
  readonly #clock: BrokerClock;
  readonly #deals: LiveDeal[] = [];
  #heldFromUtcMs = Infinity;
  #judged = '';

  constructor(
    { phase, initialBalance }: EnrolmentDefinition,
    clock: BrokerClock,
    startMs: number,
    arrivals: readonly Arrival[],
  ) {
    const rules = phase.rules.map((rule, index) => ({ rule, index }));
    this.#rules = rules.flatMap(({ rule }) => (isDealRule(rule) ? [rule] : []));
    this.#indices = rules.filter(({ rule }) => isDealRule(rule)).map(({ index }) => index);
    this.#startMs = startMs;
    this.#initialBalance = initialBalance;
    this.#clock = clock;
    const { resetClock } = phase;
    this.#wallOf = resetClock
      ? (timeMs) =>
          brokerTimeAt(firstUtcOf(timeMs, clock), { zone: resetClock.zone, shiftHours: 0 })
      : (timeMs) => timeMs;
    if (this.#rules.length > 0) this.#follow(arrivals);
  }

  /** Whether a phase may pass at a reading, by the deals known then. */
  mayPass({ timeMs, balance, equity }: NonNullable<Arrival['reading']>): boolean {
    const [count, lastMs] = this.#knownAt.get(`${timeMs} ${balance} ${equity}`) ?? [0, 0];
    const expected = this.#verdict(this.#deals.slice(0, count), lastMs);
    return !expected || timeMs < expected.timeMs;
  }

  #follow(arrivals: readonly Arrival[]): void {
    const seen = new Set<string>();
    let lastMs = -Infinity;
    for (const [arrival, { deals, reading }] of arrivals.entries()) {
      const fresh = deals.filter(({ id }) => !seen.has(id));
      for (const { id } of fresh) seen.add(id);
      this.#deals.push(...fresh.filter(({ trade }) => trade));
      const hasBegun = lastMs >= this.#startMs;
      if (hasBegun && fresh.length > 0) this.#judge(arrival, lastMs);
      if (!reading) continue;
      if (hasBegun) this.#judge(arrival, Math.max(lastMs, reading.timeMs));
      lastMs = Math.max(lastMs, reading.timeMs);
      const { timeMs, balance, equity } = reading;
      const known = [this.#deals.length, lastMs] as const;
      this.#knownAt.set(`${timeMs} ${balance} ${equity}`, known);
      this.#passTime(lastMs);
    }
  }

  #passTime(lastMs: number): void {
    if (firstUtcOf(lastMs, this.#clock) > this.#heldFromUtcMs + HELD_MS) this.isOver = true;
  }

  #judge(arrival: number, lastMs: number): void {
    if (this.isOver) return;
    const certain = certainDeals(this.#deals, lastMs);
    const known = `${this.#deals.length} ${certain.length}`;
    // Time alone tells only that something is held.
    if (known === this.#judged && !this.#rules.some(isHolding)) return;
    this.#judged = known;
    const untilMs = Math.max(lastMs, ...this.#deals.map(({ timeMs }) => timeMs));
    const verdict = this.#verdict(certain, untilMs);
    const { told } = this;
    this.isDisputed = told.length > 0 && !verdict;
    const ruleIndex = verdict && this.#indices[verdict.ruleIndex];
    if (!verdict && told.length === 0) this.#warn(arrival, certain, untilMs);
    if (!verdict || ruleIndex === undefined || told.at(-1)?.ruleIndex === ruleIndex) return;
    const { timeMs } = verdict;
    if (told.length === 0) {
      this.#heldFromUtcMs = firstUtcOf(Math.max(lastMs, timeMs), this.#clock) + 1;
    }
    told.push({ arrival, ruleIndex, timeMs });
  }

  #warn(arrival: number, deals: readonly LiveDeal[], untilMs: number): void {
    const from = [this.#startMs, untilMs, this.#initialBalance] as const;
    for (const { ruleIndex: place, timeMs } of naiveWarnings(this.#rules, deals, ...from)) {
      const ruleIndex = this.#indices[place] ?? 0;
      if (this.warned.some((one) => one.ruleIndex === ruleIndex)) continue;
      this.warned.push({ arrival, ruleIndex, timeMs });
    }
  }

  #verdict(deals: readonly LiveDeal[], lastMs: number) {
    const untilMs = Math.max(lastMs, ...deals.map(({ timeMs }) => timeMs));
    const from = [this.#startMs, untilMs, this.#wallOf, this.#initialBalance] as const;
    return naiveVerdict(this.#rules, deals, ...from);
  }
}

const isHolding = (rule: DealRule): boolean => 'forbids' in rule && rule.forbids === 'holding';
