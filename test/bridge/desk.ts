import { formatBrokerTime } from '../../src/domain/broker-time.ts';
import type { Fields } from './scripted-terminal.ts';
import type { Platform } from './terminal-build.ts';

/** Operation 1's expected answer about a trade, as far as the desk decides it. */
export type DeskTrade = {
  /** The part of `_id` after the account's id. */
  id: string;
  type: string;
  volume: number;
  profit: number;
  openTime: string;
  closeTime: string;
};

/** The account's figures when the Expert Advisor read them. Money in cents. */
export type Moment = { timeMs: number; utcMs: number; balance: number; equity: number };

/** A deposit or withdrawal, cents; `seenFrom` is the index of the first moment that holds it. */
export type Transfer = { timeMs: number; amount: number; seenFrom: number };

/** Change of the balance, cents, at the second of the platform's booking. */
export type Booking = { timeMs: number; amount: number };

type Position = {
  ticket: number;
  isBuy: boolean;
  /** Open volume, and total entered volume. */
  volume: number;
  entered: number;
  price: number;
  openMs: number;
  /** Of all its deals, net. */
  profit: number;
  leg: number;
};

type Execution = {
  profit?: number;
  volume?: number;
  price?: number;
  swap?: number;
  commission?: number;
};

const SYMBOL = 'EURUSD';
const PRICE = 1.1;
/** Numbers of the platforms: how a p5 deal stands to its position, and types of rows. */
const ENTRY = { in: 0, out: 1, inout: 2, outBy: 3 };
const P5_TYPE = { balance: 2, credit: 3 };
const P4_TYPE = { buyLimit: 2, balance: 6, credit: 7 };
const lots = (hundredths: number): number => hundredths / 100;
const amount = (cents: number): number => cents / 100;
const netOf = ({ profit = 0, swap = 0, commission = 0 }: Execution): number =>
  profit + swap + commission;

/**
 * A broker's books of one account: it makes what the terminal's history shows, and knows by itself
 * which trades that are. Volumes are hundredths of a lot, money is cents.
 */
export class Desk {
  readonly platform: Platform;
  /** Broker's wall clock and its distance from UTC. */
  timeMs: number;
  offsetMs: number;
  balance = 0;
  /** Of open positions. */
  floating = 0;
  #credit = 0;
  /** All rows of the history, in the order of booking. */
  readonly rows: Fields[] = [];
  readonly trades: DeskTrade[] = [];
  readonly transfers: Transfer[] = [];
  readonly bookings: Booking[] = [];
  readonly moments: Moment[] = [];
  #tickets = 1000;
  readonly #positions = new Map<number, Position>();

  constructor(platform: Platform, startTime: string, offsetHours = 2) {
    this.platform = platform;
    this.timeMs = Date.parse(`${startTime}Z`);
    this.offsetMs = offsetHours * 3_600_000;
  }

  get openPositions(): number[] {
    return [...this.#positions.keys()];
  }

  /** Deposit, or withdrawal where negative. */
  transfer(cents: number, comment = ''): void {
    this.#operate(cents, P5_TYPE.balance, 'DEAL_TYPE_BALANCE', comment);
    this.#book(cents);
    this.transfers.push({
      timeMs: this.timeMs,
      amount: cents,
      seenFrom: this.moments.length,
    });
  }

  /** Credit lies beside the balance; equity holds it. */
  credit(cents: number): void {
    this.#operate(cents, P5_TYPE.credit, 'DEAL_TYPE_CREDIT', 'credit');
    this.#credit += cents;
  }

  /** A p5 deal of another type than those that trade, such as a monthly commission. */
  charge(cents: number, dealType: number, word: string): void {
    this.#operate(cents, dealType, word, '');
    this.#book(cents);
  }

  /** Answers the position. On p5 the commission is booked at once. */
  open(isBuy: boolean, volume: number, price: number, commission = 0): number {
    const ticket = this.#nextTicket();
    const position = this.#begin({ ticket, isBuy, volume, price, leg: 1 });
    if (this.platform === 'p5') {
      this.#bookDeal(position, ENTRY.in, isBuy, { volume, price, commission }, ticket);
    }
    return ticket;
  }

  /** Adds to a p5 position. */
  add(ticket: number, volume: number, price: number, commission = 0): void {
    const position = this.#position(ticket);
    position.volume += volume;
    position.entered += volume;
    this.#bookDeal(position, ENTRY.in, position.isBuy, { volume, price, commission });
  }

  /**
   * Closes all or a part. A p4 ticket closes with the part, and a new one has the rest: its answer.
   */
  close(ticket: number, execution: Execution, entry = ENTRY.out): number | undefined {
    const position = this.#position(ticket);
    const { volume = position.volume } = execution;
    const rest = position.volume - volume;
    if (this.platform === 'p4') {
      this.#bookOrder(position, { ...execution, volume });
      return this.#carryOn(position, rest);
    }
    position.volume = rest;
    this.#bookDeal(position, entry, !position.isBuy, { ...execution, volume });
    if (rest === 0) this.#finish(position);
    return undefined;
  }

  /** Closes two opposite positions by each other; the result is shown on the first. */
  closeBy(first: number, second: number, profit: number): number | undefined {
    const [one, other] = [this.#position(first), this.#position(second)];
    const volume = Math.min(one.volume, other.volume);
    const { price } = other;
    if (this.platform === 'p5') {
      this.close(first, { profit, volume, price }, ENTRY.outBy);
      this.close(second, { profit: 0, volume, price }, ENTRY.outBy);
      return undefined;
    }
    // A p4 terminal leaves an empty row of the other side.
    this.#bookOrder(other, { volume: 0, price });
    const rest = this.close(first, { profit, volume, price });
    return rest ?? this.#carryOn(other, other.volume - volume);
  }

  /** A p5 netting position turns around with one deal. */
  reverse(ticket: number, volume: number, price: number, profit: number): void {
    const position = this.#position(ticket);
    const { isBuy, leg } = position;
    this.#bookDeal(position, ENTRY.inout, !isBuy, { volume, price, profit });
    this.#finish(position);
    const rest = volume - position.volume;
    this.#begin({ ticket, isBuy: !isBuy, volume: rest, price, leg: leg + 1 });
  }

  /** A pending order of a p4 terminal that was cancelled: a row without any deal. */
  cancelPending(): void {
    const ticket = this.#nextTicket();
    const row = { ticket, type: P4_TYPE.buyLimit, lots: 1, symbol: SYMBOL };
    this.rows.push({ ...row, ...this.#times(this.timeMs) });
  }

  /** The broker changes its clock, for example by -1 hour in autumn. */
  changeClock(hours: number): void {
    this.timeMs += hours * 3_600_000;
    this.offsetMs += hours * 3_600_000;
  }

  get equity(): number {
    return this.balance + this.#credit + this.floating;
  }

  /** The account as it stands now was looked at. */
  note(): void {
    const { timeMs, offsetMs, balance, equity } = this;
    this.moments.push({ timeMs, utcMs: timeMs - offsetMs, balance, equity });
  }

  #book(cents: number): void {
    this.balance += cents;
    this.bookings.push({ timeMs: this.timeMs, amount: cents });
  }

  #operate(cents: number, dealType: number, type: string, comment: string): void {
    const ticket = this.#nextTicket();
    const time = formatBrokerTime(this.timeMs);
    const row = { ticket, profit: amount(cents), comment };
    if (this.platform === 'p4') {
      const p4Type = dealType === P5_TYPE.credit ? P4_TYPE.credit : P4_TYPE.balance;
      this.rows.push({ ...row, type: p4Type, openTime: this.timeMs / 1000, closeTime: 0 });
    } else this.rows.push({ ...row, type: dealType, timeMs: this.timeMs, position: 0 });
    this.trades.push({
      id: String(ticket),
      ...{ type, volume: 0, profit: amount(cents), openTime: time, closeTime: time },
    });
  }

  #begin(terms: Pick<Position, 'ticket' | 'isBuy' | 'volume' | 'price' | 'leg'>): Position {
    const position = { ...terms, entered: terms.volume, openMs: this.timeMs, profit: 0 };
    this.#positions.set(terms.ticket, position);
    return position;
  }

  /** The rest of a p4 ticket is a new ticket, with the first one's opening time. */
  #carryOn(position: Position, rest: number): number | undefined {
    if (rest === 0) return undefined;
    const ticket = this.#nextTicket();
    this.#positions.set(ticket, { ...position, ticket, volume: rest, entered: rest });
    return ticket;
  }

  #bookDeal(
    position: Position,
    entry: number,
    isBuy: boolean,
    execution: Execution,
    ticket = this.#nextTicket(),
  ): void {
    const { volume = 0, price = PRICE } = execution;
    const kind = { ticket, type: isBuy ? 0 : 1, entry, position: position.ticket };
    const terms = { timeMs: this.timeMs, volume: lots(volume), price, symbol: SYMBOL };
    this.rows.push({ ...kind, ...terms, ...moneyOf(execution) });
    this.#book(netOf(execution));
    position.profit += netOf(execution);
  }

  /** A p4 ticket ends with its row, which bears all money. */
  #bookOrder(position: Position, execution: Execution): void {
    const { ticket, isBuy, price, openMs } = position;
    const { volume = 0, price: closePrice = PRICE } = execution;
    const row = { ticket, type: isBuy ? 0 : 1, lots: lots(volume), symbol: SYMBOL };
    const prices = { openPrice: price, closePrice };
    this.rows.push({ ...row, ...prices, ...moneyOf(execution), ...this.#times(openMs) });
    this.#book(netOf(execution));
    this.#positions.delete(ticket);
    if (volume > 0) this.#finish({ ...position, entered: volume, profit: netOf(execution) });
  }

  #finish(position: Position): void {
    this.#positions.delete(position.ticket);
    const { ticket, leg, isBuy, entered, profit, openMs } = position;
    this.trades.push({
      id: leg > 1 ? `${ticket}+${leg}` : String(ticket),
      type: isBuy ? 'DEAL_TYPE_BUY' : 'DEAL_TYPE_SELL',
      volume: lots(entered),
      profit: amount(profit),
      openTime: formatBrokerTime(openMs),
      closeTime: formatBrokerTime(this.timeMs),
    });
  }

  #times(openMs: number): Fields {
    return { openTime: openMs / 1000, closeTime: this.timeMs / 1000 };
  }

  #nextTicket(): number {
    this.#tickets += 1;
    return this.#tickets;
  }

  #position(ticket: number): Position {
    const position = this.#positions.get(ticket);
    if (!position) throw new RangeError(`There is no position ${ticket}`);
    return position;
  }
}

const moneyOf = ({ profit = 0, swap = 0, commission = 0 }: Execution): Fields => ({
  profit: amount(profit),
  swap: amount(swap),
  commission: amount(commission),
});
