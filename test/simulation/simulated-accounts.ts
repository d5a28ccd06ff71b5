import type { BrokerClock } from '../../src/domain/broker-time.ts';
import type { TrackerDefinition } from '../../src/domain/live/tracker-definition.ts';
import type { EnrolmentDefinition } from '../../src/domain/programs/program-definition.ts';
import { PERIOD_WORDS } from '../../src/words/periods.ts';
import { BASELINE_WORDS, type Baseline } from '../../src/words/trackers.ts';
import { Random } from './random.ts';
import { moneyOfWire } from './wire.ts';

export type SimulatedAccount = {
  id: string;
  clock: BrokerClock;
  trackers: TrackerDefinition[];
  enrolments?: EnrolmentDefinition[];
};

/** Clocks that switch on the dates of New York and of Europe, that never switch, and half hours. */
export const SIMULATED_CLOCKS: readonly BrokerClock[] = [
  { zone: 'America/New_York', shiftHours: 7 },
  { zone: 'Europe/Athens', shiftHours: 0 },
  { zone: 'Etc/GMT-3', shiftHours: 0 },
  { zone: 'Australia/Lord_Howe', shiftHours: 0 },
];

const RESET_CLOCKS = [
  { zone: 'Europe/Prague', time: '00:00' },
  { zone: 'UTC', time: '00:30' },
  { zone: 'America/New_York', time: '17:00' },
];

export const START_BALANCE = 100_000;

/**
 * Accounts on all clocks in turn, each with trackers of all words and baselines in turn. Their ids
 * begin with the prefix.
 */
export function simulatedAccounts(
  seed: number,
  count: number,
  trackersEach: number,
  startTimeMs: number,
  prefix = 'account',
): SimulatedAccount[] {
  const random = new Random(seed);
  return Array.from({ length: count }, (_, index) => {
    const id = `${prefix}-${index}`;
    const trackers = Array.from({ length: trackersEach }, (_unused, number) =>
      simulatedTracker(random, `${id}-tracker-${number}`, startTimeMs, index + number),
    );
    return { id, clock: SIMULATED_CLOCKS[index % 4] ?? random.pick(SIMULATED_CLOCKS), trackers };
  });
}

function simulatedTracker(
  random: Random,
  id: string,
  aroundMs: number,
  index: number,
): TrackerDefinition {
  const baseline = random.pick<Baseline>(BASELINE_WORDS);
  const period = PERIOD_WORDS[index % PERIOD_WORDS.length] ?? 'day';
  const trails = baseline.startsWith('peak');
  const capital = moneyOfWire(START_BALANCE);
  const usesCapital = baseline === 'initialCapital' || random.chance(0.2);
  const definition: TrackerDefinition = { id, name: id, period, baseline };
  if (random.chance(0.8)) {
    const halfHours = random.chance(0.3) ? random.between(-20_000, 0) : random.between(-100, 900);
    definition.startTimeMs = aroundMs + halfHours * 1_800_000;
  }
  if (random.chance(0.2)) {
    definition.endTimeMs =
      Math.max(definition.startTimeMs ?? 0, aroundMs) + random.between(1, 80) * 86_400_000;
  }
  if (random.chance(0.7)) definition.relativeDrawdownThreshold = random.between(5, 90) / 1000;
  if (random.chance(0.3)) {
    definition.absoluteDrawdownThreshold = moneyOfWire(random.between(500, 9000));
  }
  if (random.chance(0.4)) definition.relativeProfitThreshold = random.between(5, 100) / 1000;
  if (random.chance(0.2)) {
    definition.absoluteProfitThreshold = moneyOfWire(random.between(500, 9000));
  }
  if (usesCapital) definition.initialCapital = capital;
  if (usesCapital && random.chance(0.5)) definition.limitBase = 'initialCapital';
  if (trails && random.chance(0.4)) definition.lockAt = capital;
  if (random.chance(0.3)) definition.resetClock = random.pick(RESET_CLOCKS);
  if (random.chance(0.3)) definition.adjustDeals = ['DEAL_TYPE_BALANCE', 'DEAL_TYPE_CREDIT'];
  else if (random.chance(0.1)) definition.adjustDeals = [];
  if (random.chance(0.3)) definition.inclusive = true;
  const limit = definition.relativeDrawdownThreshold ?? definition.absoluteDrawdownThreshold;
  if (limit !== undefined && index % 2 === 0) definition.warnAt = (index % 5) / 5 + 0.13;
  return definition;
}
