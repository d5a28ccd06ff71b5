import type { ProgramRuleRecord } from '../../../src/contract/operations/programs.ts';
import { OPEN_SCOPES } from '../../../src/words/programs.ts';
import { countOf, formatNumber } from '../lib/format.ts';

/** A rule over deals; undefined for others. */
export function dealRuleWords(rule: ProgramRuleRecord): string | undefined {
  const { kind, only, excluded, lots, positions = 0, per = 'account', starts, ends } = rule;
  switch (kind) {
    case 'allowedSymbols':
      return [
        ...(only ? [`Positions are opened in ${only.join(', ')} only.`] : []),
        ...(excluded ? [`No position is opened in ${excluded.join(', ')}.`] : []),
      ].join(' ');
    case 'openAtOnce': {
      const most =
        lots === undefined ? countOf(positions, 'position') : `${plainNumber(lots)} lots`;
      return `No more than ${most} may be open at a time ${OPEN_SCOPES[per]}.`;
    }
    case 'hedging':
      return 'No symbol may be held long and short at a time.';
    case 'closedHours': {
      const act = rule.forbids === 'opening' ? 'opened' : 'held';
      return `No position may be ${act} from ${starts} to ${ends}.`;
    }
    case 'holdingTime':
      return `Positions must be held for ${plainNumber(rule.seconds ?? 0)} seconds or longer.`;
    default:
      return undefined;
  }
}

/** @param loss in words, with its limit */
export const openLossWords = (loss: string): string =>
  `No position may lose ${loss}, by profit and swap. Seen by what closes realise: unknown while it is open.`;

const plainNumber = (value: number): string => formatNumber(value, 8);

export function countWords({ onBreach, failsAt }: ProgramRuleRecord): string {
  if (onBreach !== 'record') return '';
  if (failsAt === undefined) return ' A breach is recorded and ends nothing.';
  return ` A breach is recorded; breach number ${failsAt} ends the phase.`;
}

/** What is not a share, an amount or a number of days: most rules over deals, by their names. */
export function shortDealRule(one: ProgramRuleRecord): string | undefined {
  const { lots, positions, starts, ends, seconds } = one;
  if (lots !== undefined) return `${plainNumber(lots)} lots`;
  if (positions !== undefined) return countOf(positions, 'position');
  if (starts !== undefined) return `${starts} to ${ends}`;
  if (seconds !== undefined) return `${plainNumber(seconds)} s`;
  return dealRuleWords(one) === undefined ? undefined : '';
}
