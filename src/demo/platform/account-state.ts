import type { Money } from '../../domain/money.ts';
import { fromVolume } from '../../domain/money.ts';
import type { Ledger } from './ledger.ts';
import { currentTicket } from './ledger.ts';
import type { Position } from './position.ts';
import { closePriceAt, openVolumeAt } from './position.ts';
import type { Quotes } from './quotes.ts';

/** A position at a moment; lots plain, money in units of the account's currency. */
export type OpenPosition = {
  ticket: string;
  position: Position;
  lots: number;
  currentPrice: number;
  profit: Money;
  swap: Money;
};

export type AccountState = {
  utcMs: number;
  balance: Money;
  credit: Money;
  equity: Money;
  positions: OpenPosition[];
};

/** An account's state at a moment that its ledger has reached. */
export function accountStateAt(ledger: Ledger, quotes: Quotes, utcMs: number): AccountState {
  const { balance, credit } = ledger.balanceAt(utcMs);
  const positions: OpenPosition[] = [];
  let floating = 0;
  for (const position of ledger.positions) {
    const volume = openVolumeAt(position, utcMs);
    if (volume === 0) continue;
    const currentPrice = closePriceAt(quotes, position, utcMs);
    const profit = ledger.valuation.profit(position, volume, currentPrice, utcMs);
    const swap = ledger.valuation.swap(position, volume, utcMs);
    const lots = fromVolume(volume);
    // p4 takes both sides' commission when the ticket closes; until then it reduces the equity.
    floating += profit + swap + ledger.pendingCommission(volume);
    const ticket = String(ticketAt(position, utcMs));
    positions.push({ ticket, position, lots, currentPrice, profit, swap });
  }
  return { utcMs, balance, credit, equity: balance + credit + floating, positions };
}

function ticketAt(position: Position, utcMs: number): number {
  const exits = position.exits.filter((exit) => exit.utcMs <= utcMs);
  return currentTicket({ ...position, exits });
}
