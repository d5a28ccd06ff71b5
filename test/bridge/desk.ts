import { formatBrokerTime } from '../../src/domain/broker-time.ts';
import type { Fields } from './scripted-terminal.ts';
import type { Platform } from './terminal-build.ts';

/** What operation 1 must answer of a trade, as far as the desk decides it. */
export type DeskTrade = {
  /** What follows the account's id in `_id`. */
  id: string;
  type: string;
  volume: number;
  profit: number;
  openTime: string;
  closeTime: string;
};

/** What the account showed when the Expert Advisor looked at it. Money in cents. */
export type Moment = { timeMs: number; utcMs: number; balance: number; equity: number };

/** A deposit or withdrawal, cents; `seenFrom` is the index of the first moment that holds it. */
export type Transfer = { timeMs: number; amount: number; seenFrom: number };

type Position = {
  ticket: number;
  isBuy: boolean;
  volume: number;
  entered: number;
  price: number;
  openMs: number;
  profit: number;
  leg: number;
};

const SYMBOL = 'EURUSD';
const lots = (hundredths: number): number => hundredths / 100;
const amount = (cents: number): number => cents / 100;

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
    this.#operate(cents, 2, 'DEAL_TYPE_BALANCE', comment);
    this.balance += cents;
    this.transfers.push({
      timeMs: this.timeMs,
      amount: cents,
      seenFrom: this.moments.length,
    });
  }

  /** Credit lies beside the balance; equity holds it. */
  credit(cents: number): void {
    this.#operate(cents, 3, 'DEAL_TYPE_CREDIT', 'credit');
    this.#credit += cents;
  }

  /** A p5 deal of another type than those that trade, such as a monthly commission. */
  charge(cents: number, dealType: number, word: string): void {
    this.#operate(cents, dealType, word, '');
    this.balance += cents;
  }

  /** Answers the position. On p5 the commission is booked at once. */
  open(isBuy: boolean, volume: number, price: number, commission = 0): number {
    const ticket = this.#nextTicket();
    const position = { ticket, isBuy, volume, entered: volume, price, openMs: this.timeMs };
    this.#positions.set(ticket, { ...position, profit: 0, leg: 1 });
    if (this.platform === 'p5') {
      this.#bookDeal(ticket, ticket, isBuy, 0, volume, price, 0, commission);
    }
    return ticket;
  }

  /** Adds to a p5 position. */
  add(ticket: number, volume: number, price: number, commission = 0): void {
    const position = this.#position(ticket);
    position.volume += volume;
    position.entered += volume;
    this.#bookDeal(this.#nextTicket(), ticket, position.isBuy, 0, volume, price, 0, commission);
  }

  /** Closes all or a part. A p4 ticket closes with the part, and a new one has the rest: its answer. */
  close(
    ticket: number,
    { profit, volume, price = 1.1, swap = 0, commission = 0, entry = 1 }: Closing,
  ): number | undefined {
    const position = this.#position(ticket);
    const part = volume ?? position.volume;
    const rest = position.volume - part;
    if (this.platform === 'p4') {
      this.#positions.delete(ticket);
      this.#bookOrder(position, part, price, profit, swap, commission);
      if (rest === 0) return undefined;
      const next = this.#nextTicket();
      this.#positions.set(next, { ...position, ticket: next, volume: rest, entered: rest });
      return next;
    }
    position.volume = rest;
    const deal = this.#nextTicket();
    this.#bookDeal(deal, ticket, !position.isBuy, entry, part, price, profit, commission, swap);
    if (rest === 0) this.#finish(position);
    return undefined;
  }

  /** Closes two opposite positions by each other; the result is shown on the first. */
  closeBy(first: number, second: number, profit: number): number | undefined {
    const [one, other] = [this.#position(first), this.#position(second)];
    const volume = Math.min(one.volume, other.volume);
    if (this.platform === 'p5') {
      this.close(first, { profit, volume, price: other.price, entry: 3 });
      this.close(second, { profit: 0, volume, price: other.price, entry: 3 });
      return undefined;
    }
    // A p4 terminal leaves an empty row of the other side.
    this.#positions.delete(second);
    this.#bookOrder(other, 0, other.price, 0, 0, 0);
    const rest = this.close(first, { profit, volume, price: other.price });
    if (other.volume === volume) return rest;
    const next = this.#nextTicket();
    const left = other.volume - volume;
    this.#positions.set(next, { ...other, ticket: next, volume: left, entered: left });
    return next;
  }

  /** A p5 netting position turns around with one deal. */
  reverse(ticket: number, volume: number, price: number, profit: number): void {
    const position = this.#position(ticket);
    const rest = volume - position.volume;
    this.#bookDeal(this.#nextTicket(), ticket, !position.isBuy, 2, volume, price, profit, 0);
    this.#finish(position);
    const { isBuy, leg } = position;
    const next = { ticket, isBuy: !isBuy, volume: rest, entered: rest, price, leg: leg + 1 };
    this.#positions.set(ticket, { ...next, openMs: this.timeMs, profit: 0 });
  }

  /** A pending order of a p4 terminal that was cancelled: a row without any deal. */
  cancelPending(): void {
    const ticket = this.#nextTicket();
    this.#book({ ticket, type: 2, lots: 1, symbol: SYMBOL, ...this.#times(this.timeMs) });
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

  #operate(cents: number, dealType: number, type: string, comment: string): void {
    const ticket = this.#nextTicket();
    const time = formatBrokerTime(this.timeMs);
    if (this.platform === 'p4') {
      const row = { ticket, type: dealType === 3 ? 7 : 6, profit: amount(cents), comment };
      this.#book({ ...row, openTime: this.timeMs / 1000, closeTime: 0 });
    } else {
      const row = { ticket, type: dealType, profit: amount(cents), comment };
      this.#book({ ...row, timeMs: this.timeMs, position: 0 });
    }
    this.trades.push({
      id: String(ticket),
      ...{ type, volume: 0, profit: amount(cents), openTime: time, closeTime: time },
    });
  }

  #bookDeal(
    ticket: number,
    position: number,
    isBuy: boolean,
    entry: number,
    volume: number,
    price: number,
    profit: number,
    commission: number,
    swap = 0,
  ): void {
    const money = { profit: amount(profit), commission: amount(commission), swap: amount(swap) };
    const type = isBuy ? 0 : 1;
    const own = { ticket, type, entry, timeMs: this.timeMs, position, volume: lots(volume) };
    this.#book({ ...own, ...money, price, symbol: SYMBOL });
    this.balance += profit + commission + swap;
    this.#position(position).profit += profit + commission + swap;
  }

  #bookOrder(
    position: Position,
    volume: number,
    price: number,
    profit: number,
    swap: number,
    commission: number,
  ): void {
    const { ticket, isBuy, openMs } = position;
    const money = { profit: amount(profit), swap: amount(swap), commission: amount(commission) };
    const prices = { openPrice: position.price, closePrice: price };
    const row = { ticket, type: isBuy ? 0 : 1, lots: lots(volume), symbol: SYMBOL };
    this.#book({ ...row, ...money, ...prices, ...this.#times(openMs) });
    this.balance += profit + swap + commission;
    const whole = { ...position, entered: volume, profit: profit + swap + commission };
    if (volume > 0) this.#finish(whole);
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

  #book(row: Fields): void {
    this.rows.push(row);
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

type Closing = {
  profit: number;
  volume?: number;
  price?: number;
  swap?: number;
  commission?: number;
  entry?: number;
};
