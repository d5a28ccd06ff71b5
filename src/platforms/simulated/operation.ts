import { PlatformError } from '../gateway.ts';
import { accountStateAt } from './account-state.ts';
import type { Ledger } from './ledger.ts';
import type { Quotes } from './quotes.ts';
import type { ManualOperation } from './state-store.ts';

type WithoutMoment<T> = T extends unknown ? Omit<T, 'utcMs'> : never;
/** An operation by hand without its moment, which is always now. */
export type SimulatedOperation = WithoutMoment<ManualOperation>;

/** Throws PlatformError `invalid` for what the platform would refuse at the moment. */
export function checkOperation(
  operation: SimulatedOperation,
  ledger: Ledger,
  quotes: Quotes,
  utcMs: number,
): void {
  if (operation.kind === 'open') {
    checkOpening(operation, quotes);
  } else if (operation.kind === 'close') {
    const open = accountStateAt(ledger, quotes, utcMs).positions;
    if (!open.some((each) => each.ticket === String(operation.ticket)))
      throw new PlatformError('invalid', 'There is no such position');
  } else if (!Number.isFinite(operation.amount)) {
    throw new PlatformError('invalid', 'The amount is no number');
  }
}

function checkOpening(
  operation: Extract<SimulatedOperation, { kind: 'open' }>,
  quotes: Quotes,
): void {
  const instrument = quotes.instrument(operation.symbol);
  if (!instrument) throw new PlatformError('invalid', 'There is no such symbol');
  const { volumeMin, volumeMax, volumeStep } = instrument;
  const steps = operation.lots / volumeStep;
  const isInRange = operation.lots >= volumeMin && operation.lots <= volumeMax;
  if (!isInRange || Math.abs(steps - Math.round(steps)) > 1e-6)
    throw new PlatformError('invalid', 'The symbol does not allow this volume');
}
