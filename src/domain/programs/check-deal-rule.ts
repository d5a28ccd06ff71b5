import type { TrackerFault } from '../live/check-tracker.ts';
import { closedHoursFault } from './closed-hours.ts';
import type { DealRule } from './program-definition.ts';

/** All faults of a rule over deals; `at` is its path in the program. */
export function checkDealRule(rule: DealRule, at: string): TrackerFault[] {
  const message = faultOf(rule);
  return message === undefined ? [] : [{ parameter: at, message }];
}

function faultOf(rule: DealRule): string | undefined {
  switch (rule.kind) {
    case 'allowedSymbols':
      if (rule.only || rule.excluded) return undefined;
      return 'needs only, the symbols that are allowed, or excluded, those that are not';
    case 'openAtOnce':
      if ((rule.lots === undefined) !== (rule.positions === undefined)) return undefined;
      return 'needs lots or positions, one of the two';
    case 'closedHours':
      return closedHoursFault(rule);
    case 'hedging':
    case 'openLoss':
      return undefined;
    case 'holdingTime':
      return rule.seconds > 0 ? undefined : 'needs seconds, more than 0';
  }
}
