import type {
  EnrolmentDefinition,
  Objective,
  Payout,
  Phase,
  Rule,
} from '../../src/domain/programs/program-definition.ts';
import type { Random } from './random.ts';
import { START_BALANCE } from './simulated-accounts.ts';
import { moneyOfWire } from './wire.ts';

const RESET_CLOCKS = [
  { zone: 'Europe/Prague', time: '00:00' },
  { zone: 'UTC', time: '00:30' },
  { zone: 'America/New_York', time: '17:00' },
];

/** A phase as offered by firms, and some that are not. */
export function simulatedEnrolment(random: Random, aroundMs: number): EnrolmentDefinition {
  const definition: EnrolmentDefinition = {
    id: 'enrolment',
    phase: simulatedPhase(random),
    initialBalance: moneyOfWire(START_BALANCE),
  };
  if (!random.chance(0.4)) return definition;
  const startTimeMs = aroundMs + random.between(-10, 400) * 1_800_000;
  return { ...definition, startTimeMs };
}

function simulatedPhase(random: Random): Phase {
  const rules: Rule[] = [];
  const objectives: Objective[] = [];
  // Wide enough for some to pass.
  if (random.chance(0.6)) rules.push(dailyLoss(random));
  if (random.chance(0.7)) rules.push(maximumLoss(random));
  if (random.chance(0.3)) {
    const failsAt = random.chance(0.7) ? random.between(2, 3) : undefined;
    rules.push({ ...dailyLoss(random), onBreach: 'record', failsAt });
  }
  if (random.chance(0.3)) rules.push({ kind: 'timeLimit', days: random.between(3, 60) });
  if (random.chance(0.4)) rules.push({ kind: 'inactivity', days: random.between(1, 12) });
  if (random.chance(0.6)) {
    const share = random.between(1, 60) / 1000;
    objectives.push({
      ...{ kind: 'profitTarget', by: random.pick(['balance', 'equity', 'lowerOfBoth'] as const) },
      ...(random.chance(0.7) ? { share } : { amount: moneyOfWire(random.between(100, 6000)) }),
    });
  }
  if (random.chance(0.5)) {
    const count = random.pick(['opened', 'traded'] as const);
    objectives.push({ kind: 'tradingDays', days: random.between(1, 15), count });
  }
  if (random.chance(0.4)) {
    const share = random.between(1, 5) / 1000;
    objectives.push({ kind: 'profitableDays', days: random.between(1, 8), share });
  }
  if (random.chance(0.4)) {
    const of = random.pick(['profit', 'winningDays'] as const);
    const share = random.between(20, 80) / 100;
    objectives.push({ kind: 'consistency', share, of, inclusive: random.chance(0.3) });
  }
  const resetClock = random.chance(0.4) ? random.pick(RESET_CLOCKS) : undefined;
  if (!random.chance(0.4)) return { name: 'Phase', rules, objectives, resetClock };
  const funded = rules.map((rule): Rule => {
    if (rule.kind !== 'maximumLoss') return rule;
    const effects = ['follows', 'stays', ...(rule.lockAbove === undefined ? [] : ['locks'])];
    return { ...rule, onPayout: random.pick(effects) as 'follows' | 'stays' | 'locks' };
  });
  return { name: 'Phase', rules: funded, objectives, resetClock, payout: simulatedPayout(random) };
}

function simulatedPayout(random: Random): Payout {
  return {
    ...(random.chance(0.7) ? { days: random.between(1, 20) } : {}),
    ...(random.chance(0.3) ? { firstDays: random.between(1, 40) } : {}),
    ...(random.chance(0.5) ? { share: random.between(1, 99) / 100 } : {}),
    ...(random.chance(0.5) ? { buffer: moneyOfWire(random.between(0, 3000)) } : {}),
    ...(random.chance(0.5) ? { minimum: moneyOfWire(random.between(1, 500)) } : {}),
    ...(random.chance(0.5) ? { caps: [1000, 2000].map(moneyOfWire) } : {}),
    ...(random.chance(0.8) ? { split: 0.8 } : {}),
  };
}

function dailyLoss(random: Random): Rule & { kind: 'dailyLoss' } {
  const from = random.pick(['balance', 'equity', 'higherOfBoth', 'peakEquity'] as const);
  const shareOf = random.pick(['initialBalance', 'dayStart'] as const);
  const share = random.between(10, 60) / 1000;
  const measured = from === 'balance' && random.chance(0.4) ? 'balance' : 'equity';
  const inclusive = random.chance(0.3);
  const judged = random.pick(['always', 'dayEnd'] as const);
  return { kind: 'dailyLoss', warnAt: 0.7, measured, judged, share, from, shareOf, inclusive };
}

function maximumLoss(random: Random): Rule {
  const share = random.between(30, 150) / 1000;
  const inclusive = random.chance(0.3);
  if (random.chance(0.4)) return { kind: 'maximumLoss', share, inclusive };
  const trails = random.pick(['equity', 'balance', 'endOfDayBalance'] as const);
  const shareOf = random.pick(['initialBalance', 'peak'] as const);
  const lockAbove = random.chance(0.5) ? moneyOfWire(random.between(0, 2000)) : undefined;
  return { kind: 'maximumLoss', share, inclusive, trails, shareOf, lockAbove };
}
