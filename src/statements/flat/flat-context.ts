import type { BrokerClock } from '../../domain/broker-time.ts';
import type { Stated } from '../statement.ts';
import type { Warnings } from '../warnings.ts';

/** Data shared by the readers of a file's tables. */
export type FlatContext = {
  moneyDigits: number;
  clock: BrokerClock | undefined;
  warnings: Warnings;
  stated: Stated;
};
