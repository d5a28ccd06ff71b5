import type { Deal } from '../deal.ts';
import { toUnits, toVolume } from '../money.ts';

/** A deal as people write it, in lots and whole money. */
export type PlainDeal = Pick<Deal, 'id' | 'type'> &
  Partial<Omit<Deal, 'volume' | 'volumeClosed'>> & {
    lots?: number;
    lotsClosed?: number;
    minute?: number;
  };

/** A deal whose money is held with four digits. */
export function dealOf(plain: PlainDeal): Deal {
  const { lots = 0, lotsClosed, minute = 0, profit, swap, commission, fee, ...rest } = plain;
  return {
    timeMs: minute * 60_000,
    ...rest,
    volume: toVolume(lots),
    volumeClosed: lotsClosed === undefined ? undefined : toVolume(lotsClosed),
    profit: toUnits(profit ?? 0, 4),
    swap: toUnits(swap ?? 0, 4),
    commission: toUnits(commission ?? 0, 4),
    fee: toUnits(fee ?? 0, 4),
  };
}

const IN = 'DEAL_ENTRY_IN';
const OUT = 'DEAL_ENTRY_OUT';

type Details = Partial<Omit<PlainDeal, 'id' | 'type'>>;

export const buy = (id: string, lots: number, price: number, details: Details = {}): Deal =>
  dealOf({ symbol: 'EURUSD', entry: IN, ...details, id, type: 'DEAL_TYPE_BUY', lots, price });

export const sell = (id: string, lots: number, price: number, details: Details = {}): Deal =>
  dealOf({ symbol: 'EURUSD', entry: OUT, ...details, id, type: 'DEAL_TYPE_SELL', lots, price });

export const deposit = (id: string, amount: number, details: Details = {}): Deal =>
  dealOf({ ...details, id, type: 'DEAL_TYPE_BALANCE', profit: amount });
