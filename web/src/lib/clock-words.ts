import type { AccountRecord } from '../../../src/contract/operations/accounts.ts';

/** `America/New_York +7 h`, with the hours on one line. */
export function clockWords({ zone, shiftHours = 0 }: AccountRecord['brokerClock']): string {
  if (shiftHours === 0) return zone;
  return `${zone} ${shiftHours > 0 ? '+' : '−'}${Math.abs(shiftHours)}\u00a0h`;
}
