import type { Money, Volume } from '../../domain/money.ts';
import { fromUnits, fromVolume, moneyDigits, toVolume } from '../../domain/money.ts';
import { Agenda, type Happening, type Plan } from './agenda.ts';
import { type Balance, BalanceHistory } from './balance-history.ts';
import type { BrokerCalendar } from './calendar.ts';
import type { Family, SimulatedGroup } from './groups.ts';
import type { Instrument } from './instrument.ts';
import { openPriceAt, plannedOrder } from './planned-order.ts';
import type { Exit, PlannedExit, Position, PositionEnds } from './position.ts';
import { closePriceAt, findExit, openVolumeAt, Valuation } from './position.ts';
import type { Quotes } from './quotes.ts';
import type { ManualOperation } from './state-store.ts';
import type { Intention } from './strategy.ts';

export type CashEntry = {
  ticket: number;
  utcMs: number;
  type: 'DEAL_TYPE_BALANCE' | 'DEAL_TYPE_CREDIT';
  amount: Money;
  comment: string;
};

export type LedgerAccount = {
  family: Family;
  login: number;
  group: SimulatedGroup;
  leverage: number;
};

type Watched = { position: Position; scannedUtcMs: number; found: PlannedExit | undefined };

/**
 * Everything that happened on one account, worked out event by event in order of time. How far it
 * is advanced at a time makes no difference to what happens.
 */
export class Ledger {
  readonly account: LedgerAccount;
  readonly valuation: Valuation;
  readonly positions: Position[] = [];
  readonly cash: CashEntry[] = [];
  readonly #quotes: Quotes;
  readonly #agenda: Agenda;
  readonly #history = new BalanceHistory();
  #watched: Watched[] = [];
  #number = 0;
  #reachedUtcMs = 0;

  constructor(
    account: LedgerAccount,
    world: { quotes: Quotes; calendar: BrokerCalendar },
    plan?: Plan,
  ) {
    this.account = account;
    this.#quotes = world.quotes;
    this.valuation = new Valuation(account.group.currency, world.quotes, world.calendar);
    this.#agenda = new Agenda(plan);
  }

  /** No operation may lie before the moment that the ledger was advanced to. */
  get reachedUtcMs(): number {
    return this.#reachedUtcMs;
  }

  /** Grows with everything that is booked. */
  get changes(): number {
    return this.#number;
  }

  /** Puts down what was done by hand; it happens when the ledger is advanced past it. */
  add(operation: ManualOperation): void {
    this.#agenda.add(operation);
  }

  balanceAt(utcMs: number): Balance {
    return this.#history.at(utcMs);
  }

  /** Commission that closing the volume will cost, as far as the equity feels it already. */
  pendingCommission(volume: Volume): Money {
    return this.account.family === 'p4' ? 2 * this.#commission(volume) : 0;
  }

  advance(toUtcMs: number): void {
    if (toUtcMs < this.#reachedUtcMs) return;
    for (;;) {
      const next = this.#agenda.next(toUtcMs);
      const until = Math.min(toUtcMs, next?.utcMs ?? toUtcMs);
      const exit = this.#earliestExit(until);
      if (exit?.found) this.#close(exit.position, exit.found);
      else if (next) this.#happen(next);
      else break;
    }
    this.#reachedUtcMs = toUtcMs;
  }

  #happen(next: Happening): void {
    this.#agenda.strike(next);
    if ('login' in next) this.#happenByHand(next);
    else this.#happenByPlan(next);
  }

  #happenByPlan(intention: Intention): void {
    const { balance } = this.balanceAt(intention.utcMs);
    const digits = moneyDigits(this.account.group.currency);
    if (intention.kind === 'cash') {
      const whole = Math.round(fromUnits(balance, digits) * intention.part);
      // The first entry of an account is its opening deposit: there is no balance to take a part of.
      const amount = balance === 0 ? this.account.group.deposit * intention.part : whole;
      this.#book({ ...intention, amount, credit: false });
      return;
    }
    const order = plannedOrder(intention, fromUnits(balance, digits), {
      quotes: this.#quotes,
      valuation: this.valuation,
      leverage: this.account.leverage,
    });
    if (!order || this.#isHeldNetted(order.instrument, intention.utcMs)) return;
    this.#open(order.instrument, order.side, order.volume, intention.utcMs, order.ends);
  }

  #happenByHand(operation: ManualOperation): void {
    if (operation.kind === 'cash') {
      this.#book(operation);
      return;
    }
    if (operation.kind === 'open') {
      const instrument = this.#quotes.instrument(operation.symbol);
      if (!instrument) return;
      const { stopLoss, takeProfit } = operation;
      const stops = { stopLoss, takeProfit };
      const volume = toVolume(operation.lots);
      this.#open(instrument, operation.side, volume, operation.utcMs, stops);
      return;
    }
    const position = this.positions.find((each) => currentTicket(each) === operation.ticket);
    const open = position ? openVolumeAt(position, operation.utcMs) : 0;
    if (!position || open === 0) return;
    const volume = operation.lots === undefined ? open : toVolume(operation.lots);
    const price = closePriceAt(this.#quotes, position, operation.utcMs);
    this.#exit(position, { utcMs: operation.utcMs, price, comment: '' }, Math.min(volume, open));
  }

  #book(entry: { utcMs: number; amount: number; credit: boolean; comment: string }): void {
    const amount = this.valuation.money(entry.amount);
    if (amount === 0) return;
    const type = entry.credit ? 'DEAL_TYPE_CREDIT' : 'DEAL_TYPE_BALANCE';
    const { utcMs, comment } = entry;
    this.cash.push({ ticket: this.#nextNumber(), utcMs, type, amount, comment });
    this.#history.add(utcMs, entry.credit ? 0 : amount, entry.credit ? amount : 0);
  }

  #open(
    instrument: Instrument,
    side: 1 | -1,
    volume: Volume,
    utcMs: number,
    ends: PositionEnds,
  ): void {
    const commission = this.account.family === 'p5' ? this.#commission(volume) : 0;
    const position: Position = {
      ticket: this.#nextNumber(),
      deal: this.#nextNumber(),
      instrument,
      side,
      volume,
      openUtcMs: utcMs,
      openPrice: openPriceAt(this.#quotes, instrument, side, utcMs),
      commission,
      exits: [],
      ...ends,
    };
    this.positions.push(position);
    this.#watched.push({ position, scannedUtcMs: utcMs, found: undefined });
    if (commission !== 0) this.#history.add(utcMs, commission);
  }

  #close(position: Position, found: PlannedExit): void {
    const open = openVolumeAt(position, found.utcMs);
    const step = toVolume(position.instrument.volumeStep);
    const wanted = Math.floor((open * found.part) / step) * step;
    if (found.part < 1) position.partialUtcMs = undefined;
    const volume = found.part < 1 ? wanted : open;
    const watched = this.#watched.find((each) => each.position === position);
    if (watched) {
      watched.found = undefined;
      watched.scannedUtcMs = found.utcMs;
    }
    if (volume > 0) this.#exit(position, found, volume);
  }

  #exit(position: Position, at: Omit<PlannedExit, 'part'>, volume: Volume): void {
    const rest = openVolumeAt(position, at.utcMs) - volume;
    const sides = this.account.family === 'p5' ? 1 : 2;
    const exit: Exit = {
      ...at,
      volume,
      profit: this.valuation.profit(position, volume, at.price, at.utcMs),
      swap: this.valuation.swap(position, volume, at.utcMs),
      commission: sides * this.#commission(volume),
      deal: this.#nextNumber(),
      restTicket: this.account.family === 'p4' && rest > 0 ? this.#nextNumber() : position.ticket,
    };
    position.exits.push(exit);
    this.#history.add(at.utcMs, exit.profit + exit.swap + exit.commission);
    if (rest === 0) this.#watched = this.#watched.filter((each) => each.position !== position);
  }

  /** The first exit of any open position until the moment. */
  #earliestExit(untilUtcMs: number): Watched | undefined {
    let earliest: Watched | undefined;
    for (const watched of this.#watched) {
      if (!watched.found && watched.scannedUtcMs < untilUtcMs) {
        const { position, scannedUtcMs } = watched;
        watched.found = findExit(this.#quotes, position, scannedUtcMs, untilUtcMs);
        watched.scannedUtcMs = untilUtcMs;
      }
      const utcMs = watched.found?.utcMs;
      if (
        utcMs !== undefined &&
        utcMs <= untilUtcMs &&
        utcMs < (earliest?.found?.utcMs ?? Infinity)
      )
        earliest = watched;
    }
    return earliest;
  }

  /** On netting accounts a strategy leaves a symbol alone that it already holds. */
  #isHeldNetted(instrument: Instrument, utcMs: number): boolean {
    if (this.account.group.marginMode !== 'ACCOUNT_MARGIN_MODE_RETAIL_NETTING') return false;
    return this.positions.some(
      (each) => each.instrument === instrument && openVolumeAt(each, utcMs) > 0,
    );
  }

  #commission(volume: Volume): Money {
    return this.valuation.money(-this.account.group.commissionPerLot * fromVolume(volume));
  }

  /** Tickets of all accounts together are unique: each login has a million of its own. */
  #nextNumber(): number {
    this.#number += 1;
    return this.account.login * 1_000_000 + this.#number;
  }
}

/** The number that the open part of a position goes by. */
export const currentTicket = (position: Position): number =>
  position.exits.at(-1)?.restTicket ?? position.ticket;
