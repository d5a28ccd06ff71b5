import type { Money, Volume } from '../../domain/money.ts';
import { fromUnits, fromVolume, moneyDigits, toVolume } from '../../domain/money.ts';
import type { Platform } from '../../words/accounts.ts';
import { Agenda, type Happening, type Plan } from './agenda.ts';
import { type Balance, BalanceHistory } from './balance-history.ts';
import type { BrokerCalendar } from './calendar.ts';
import type { CashType, ManualOperation } from './events.ts';
import type { SimulatedGroup } from './groups.ts';
import type { Instrument } from './instrument.ts';
import { openPriceAt, plannedOrder } from './planned-order.ts';
import type { Exit, PlannedExit, Position, PositionEnds } from './position.ts';
import { closePriceAt, findExit, openVolumeAt, Valuation } from './position.ts';
import type { Quotes } from './quotes.ts';
import type { Intention } from './strategy.ts';
import { findTrigger, type WaitingOrder } from './waiting-order.ts';
import { Watch, type Watched } from './watch.ts';

export type CashEntry = {
  ticket: number;
  utcMs: number;
  type: CashType;
  amount: Money;
  comment: string;
};

export type LedgerAccount = {
  family: Platform;
  login: number;
  group: SimulatedGroup;
  leverage: number;
  /** Whether its holder may log in, and may trade. */
  enabled: boolean;
  tradingEnabled: boolean;
};

/**
 * All events of one account, computed one by one in order of time. The size of its steps makes no
 * difference to the events.
 */
export class Ledger {
  /** Its state at the moment reached. */
  account: LedgerAccount;
  readonly valuation: Valuation;
  readonly positions: Position[] = [];
  readonly cash: CashEntry[] = [];
  /** Orders that wait for their price at the moment reached. */
  waiting: readonly WaitingOrder[] = [];
  readonly #quotes: Quotes;
  readonly groups: readonly SimulatedGroup[];
  readonly #agenda: Agenda;
  readonly #history = new BalanceHistory();
  /** Possible events of open positions and pending orders. */
  readonly #watches = new Map<Position | WaitingOrder, Watched>();
  #number = 0;
  #reachedUtcMs: number;

  constructor(
    account: LedgerAccount,
    world: { quotes: Quotes; calendar: BrokerCalendar; groups: readonly SimulatedGroup[] },
    sinceUtcMs: number,
    plan?: Plan,
  ) {
    this.#reachedUtcMs = sinceUtcMs;
    this.account = account;
    this.#quotes = world.quotes;
    this.groups = world.groups;
    this.valuation = new Valuation(account.group.currency, world.quotes, world.calendar);
    this.#agenda = new Agenda(plan);
  }

  /** No operation may be before the moment that the ledger was advanced to. */
  get reachedUtcMs(): number {
    return this.#reachedUtcMs;
  }

  get #mayTrade(): boolean {
    return this.account.enabled && this.account.tradingEnabled;
  }

  /** Grows with every booking. */
  get changes(): number {
    return this.#number;
  }

  /** Notes an operation by hand; it happens when the ledger is advanced past it. */
  add(operation: ManualOperation): void {
    this.#agenda.add(operation);
  }

  balanceAt(utcMs: number): Balance {
    return this.#history.at(utcMs);
  }

  /** Commission for closing the volume, as far as it already reduces the equity. */
  pendingCommission(volume: Volume): Money {
    return this.account.family === 'p4' ? 2 * this.#commission(volume) : 0;
  }

  advance(toUtcMs: number): void {
    if (toUtcMs < this.#reachedUtcMs) return;
    for (;;) {
      const next = this.#agenda.next(toUtcMs);
      const until = Math.min(toUtcMs, next?.utcMs ?? toUtcMs);
      const watch = this.#earliest(until);
      if (watch) watch.happen();
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
      // The first entry of an account is its opening deposit: there is no balance to take a part
      // of.
      const amount = balance === 0 ? this.account.group.deposit * intention.part : whole;
      this.#book({ ...intention, amount, type: 'DEAL_TYPE_BALANCE' });
      return;
    }
    if (!this.#mayTrade) return;
    const order = plannedOrder(intention, fromUnits(balance, digits), {
      quotes: this.#quotes,
      valuation: this.valuation,
      leverage: this.account.leverage,
    });
    if (!order || this.#isHeldNetted(order.instrument, intention.utcMs)) return;
    this.#open(order.instrument, order.side, order.volume, intention.utcMs, order.ends);
  }

  #happenByHand(operation: ManualOperation): void {
    const { utcMs } = operation;
    switch (operation.kind) {
      case 'cash':
        this.#book(operation);
        break;
      case 'open': {
        const instrument = this.#quotes.instrument(operation.symbol);
        const { side, stopLoss, takeProfit } = operation;
        const volume = toVolume(operation.lots);
        if (instrument) this.#open(instrument, side, volume, utcMs, { stopLoss, takeProfit });
        break;
      }
      case 'place':
        this.#place(operation);
        break;
      case 'close':
        for (const ticket of operation.tickets) this.#closeByHand(ticket, operation.lots, utcMs);
        break;
      case 'cancel':
        for (const order of this.waiting)
          if (operation.tickets.includes(order.ticket)) this.#remove(order);
        break;
      case 'settings':
        this.#change(operation);
    }
  }

  #change(operation: Extract<ManualOperation, { kind: 'settings' }>): void {
    const group = this.groups.find(({ name }) => name === operation.group);
    const { leverage, enabled, tradingEnabled } = operation;
    this.account = {
      ...this.account,
      group: group ?? this.account.group,
      leverage: leverage ?? this.account.leverage,
      enabled: enabled ?? this.account.enabled,
      tradingEnabled: tradingEnabled ?? this.account.tradingEnabled,
    };
  }

  #closeByHand(ticket: number, lots: number | undefined, utcMs: number): void {
    const position = this.positions.find((each) => currentTicket(each) === ticket);
    const open = position ? openVolumeAt(position, utcMs) : 0;
    if (!position || open === 0) return;
    const volume = lots === undefined ? open : toVolume(lots);
    const price = closePriceAt(this.#quotes, position, utcMs);
    this.#exit(position, { utcMs, price, comment: '' }, Math.min(volume, open));
  }

  #place(operation: Extract<ManualOperation, { kind: 'place' }>): void {
    const instrument = this.#quotes.instrument(operation.symbol);
    if (!instrument) return;
    const { side, price, waitsFor, utcMs } = operation;
    const order: WaitingOrder = {
      ...{ ticket: this.#nextNumber(), instrument, side, price, waitsFor },
      ...{ volume: toVolume(operation.lots), placedUtcMs: utcMs },
    };
    this.waiting = [...this.waiting, order];
    const watch = new Watch(
      utcMs,
      (from, to) => findTrigger(this.#quotes, order, from, to),
      (found) => this.#trigger(order, found),
    );
    this.#watches.set(order, watch);
  }

  /** If trading is disabled by then, the order ends without a position. */
  #trigger(order: WaitingOrder, at: { utcMs: number; price: number }): void {
    this.#remove(order);
    const { instrument, side, volume } = order;
    if (this.#mayTrade) this.#open(instrument, side, volume, at.utcMs, {}, at.price);
  }

  #remove(order: WaitingOrder): void {
    this.waiting = this.waiting.filter((each) => each !== order);
    this.#watches.delete(order);
  }

  #book(entry: { utcMs: number; amount: number; type: CashType; comment: string }): void {
    const amount = this.valuation.money(entry.amount);
    if (amount === 0) return;
    const { utcMs, type, comment } = entry;
    this.cash.push({ ticket: this.#nextNumber(), utcMs, type, amount, comment });
    const isCredit = type === 'DEAL_TYPE_CREDIT';
    this.#history.add(utcMs, isCredit ? 0 : amount, isCredit ? amount : 0);
  }

  #open(
    instrument: Instrument,
    side: 1 | -1,
    volume: Volume,
    utcMs: number,
    ends: PositionEnds,
    openPrice: number = openPriceAt(this.#quotes, instrument, side, utcMs),
  ): void {
    const commission = this.account.family === 'p5' ? this.#commission(volume) : 0;
    const position: Position = {
      ticket: this.#nextNumber(),
      deal: this.#nextNumber(),
      instrument,
      side,
      volume,
      openUtcMs: utcMs,
      openPrice,
      commission,
      exits: [],
      ...ends,
    };
    this.positions.push(position);
    const watch = new Watch(
      utcMs,
      (from, to) => findExit(this.#quotes, position, from, to),
      (found) => this.#close(position, found),
    );
    this.#watches.set(position, watch);
    if (commission !== 0) this.#history.add(utcMs, commission);
  }

  #close(position: Position, found: PlannedExit): void {
    const open = openVolumeAt(position, found.utcMs);
    const step = toVolume(position.instrument.volumeStep);
    const wanted = Math.floor((open * found.part) / step) * step;
    if (found.part < 1) position.partialUtcMs = undefined;
    const volume = found.part < 1 ? wanted : open;
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
    if (rest === 0) this.#watches.delete(position);
  }

  /** The first automatic event until the moment. */
  #earliest(untilUtcMs: number): Watched | undefined {
    let earliest: Watched | undefined;
    let earliestUtcMs = Number.POSITIVE_INFINITY;
    for (const watch of this.#watches.values()) {
      const utcMs = watch.next(untilUtcMs);
      if (utcMs === undefined || utcMs >= earliestUtcMs) continue;
      [earliest, earliestUtcMs] = [watch, utcMs];
    }
    return earliest;
  }

  /** On netting accounts a strategy skips symbols that it already holds. */
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

/** The current number of a position's open part. */
export const currentTicket = (position: Position): number =>
  position.exits.at(-1)?.restTicket ?? position.ticket;
