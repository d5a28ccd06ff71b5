import { type Faults, partOf } from '../contract/faults.ts';
import type { DealRecord } from '../contract/operations/deals.ts';
import { parseBrokerTime } from '../domain/broker-time.ts';
import { compareDeals, type Deal, isTradeDeal } from '../domain/deal.ts';
import { VALID_TIME } from '../domain/formats.ts';
import { moneyDigits, toUnits, toVolume } from '../domain/money.ts';

/**
 * Turns records into deals, in order, until the faults are full. `at` is the list's path in the
 * request: `[7].deals`, or empty if the records are its rows. `from` is how many of the list's
 * records come before these.
 */
export function readDeals(
  records: readonly DealRecord[],
  currency: string,
  { at, from }: { at: string; from: number },
  faults: Faults,
): Deal[] {
  const digits = moneyDigits(currency);
  const deals: Deal[] = [];
  for (const [index, record] of records.entries()) {
    if (faults.isFull) break;
    deals.push(readDeal(record, digits, partOf(at, from + index), faults));
  }
  return deals;
}

/** The deals in the order of their times. */
export const dealsInOrder = (deals: readonly Deal[]): Deal[] => deals.toSorted(compareDeals);

/** Turns a record into a deal; `at` is its path in the request. */
export function readDeal(record: DealRecord, digits: number, at: string, faults: Faults): Deal {
  const addFault = (field: keyof DealRecord, message: string): void =>
    faults.add(partOf(at, field), message);
  const timeMs = parseBrokerTime(record.brokerTime);
  if (timeMs === undefined) addFault('brokerTime', VALID_TIME);
  if (isTradeDeal(record)) {
    for (const field of ['symbol', 'volume', 'price'] as const) {
      if (record[field] === undefined) addFault(field, `is required for ${record.type}`);
    }
  }
  const units = (field: 'profit' | 'swap' | 'commission' | 'fee'): number => {
    try {
      return toUnits(record[field] ?? 0, digits);
    } catch {
      addFault(field, 'is too large to be stored exactly');
      return 0;
    }
  };
  const { brokerTime: _, ...rest } = record;
  return {
    ...rest,
    volume: toVolume(record.volume ?? 0),
    profit: units('profit'),
    swap: units('swap'),
    commission: units('commission'),
    fee: units('fee'),
    timeMs: timeMs ?? 0,
  };
}
