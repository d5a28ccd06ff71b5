import type { ProgramRuleRecord } from '../../../src/contract/operations/programs.ts';
import { MAX_LOTS } from '../../../src/words/deals.ts';
import { MAX_HELD_SECONDS, MAX_OPEN_POSITIONS } from '../../../src/words/programs.ts';
import { type NumberRules, numberOf, readNumber, UNREADABLE } from '../lib/read-number.ts';
import type { LineForm } from './program-form.ts';

export const LOTS: NumberRules = {
  units: ['lots', 'lot'],
  min: 10 ** -8,
  digits: 8,
  max: MAX_LOTS,
};
export const POSITIONS: NumberRules = { isInteger: true, min: 1, max: MAX_OPEN_POSITIONS };
export const SECONDS: NumberRules = {
  units: ['s', 'seconds'],
  min: 0.001,
  digits: 3,
  max: MAX_HELD_SECONDS,
};

/** Judged by the deals alone. */
export const isOverDeals = ({ kind }: Pick<LineForm, 'kind'>): boolean =>
  kind === 'allowedSymbols' ||
  kind === 'openAtOnce' ||
  kind === 'hedging' ||
  kind === 'closedHours' ||
  kind === 'holdingTime' ||
  kind === 'openLoss';

/** Rules over deals whose limit can be near. */
export const warnsOfDeals = ({ kind }: Pick<LineForm, 'kind'>): boolean =>
  kind === 'openAtOnce' || kind === 'openLoss';

export const mostRules = ({ counted }: LineForm): NumberRules =>
  counted === 'lots' ? LOTS : POSITIONS;

const TIME = /^(?:(?:SUN|MON|TUE|WED|THU|FRI|SAT) )?(?:[01]\d|2[0-3]):[0-5]\d$/;
const namesOf = (text: string): string[] => text.split(/[,;\s]+/).filter((name) => name !== '');

/** What a rule over deals still lacks. */
export function obstacleOfDealRule(line: LineForm): string | undefined {
  const { kind, only, excluded, most, seconds, starts, ends } = line;
  if (kind === 'allowedSymbols' && namesOf(`${only} ${excluded}`).length === 0) {
    return 'Name the symbols.';
  }
  const number =
    kind === 'openAtOnce'
      ? readNumber(most, mostRules(line))
      : kind === 'holdingTime'
        ? readNumber(seconds, SECONDS)
        : undefined;
  if (number?.kind === 'empty') return 'Say how much.';
  if (number?.kind === 'unreadable') return UNREADABLE;
  if (kind !== 'closedHours') return undefined;
  if (!TIME.test(starts) || !TIME.test(ends))
    return 'Write times as FRI 22:00, or 22:00 for each day.';
  if (starts.length !== ends.length) return 'Name the day of the week in both, or in neither.';
  return starts === ends ? 'They must not start and end at the same time.' : undefined;
}

/** The fields of a rule over deals. */
export function dealRuleFields(line: LineForm): Partial<ProgramRuleRecord> {
  const { kind, only, excluded, counted, per, starts, ends, forbids } = line;
  switch (kind) {
    case 'allowedSymbols': {
      const [names, others] = [namesOf(only), namesOf(excluded)];
      return {
        ...(names.length > 0 ? { only: names } : {}),
        ...(others.length > 0 ? { excluded: others } : {}),
      };
    }
    case 'openAtOnce': {
      const most = numberOf(readNumber(line.most, mostRules(line)));
      return {
        ...(most === undefined ? {} : { [counted]: most }),
        ...(per === 'account' ? {} : { per }),
      };
    }
    case 'closedHours':
      return { starts, ends, forbids };
    case 'holdingTime': {
      const seconds = numberOf(readNumber(line.seconds, SECONDS));
      return seconds === undefined ? {} : { seconds };
    }
    default:
      return {};
  }
}
