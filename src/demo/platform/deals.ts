import type { Deal } from '../../domain/deal.ts';
import { compareDeals } from '../../domain/deal.ts';
import type { BrokerCalendar } from './calendar.ts';
import type { CashEntry, Ledger } from './ledger.ts';
import type { Exit, Position, PositionEnds } from './position.ts';

/** A deal and the moment of its effect on the account. */
export type BookedDeal = { utcMs: number; deal: Deal };

/**
 * Every deal of the account so far, in the order of their effects. On p4 a ticket takes effect when
 * it closes, so its opening deal, which is older, comes with the closing one.
 */
export function bookedDeals(ledger: Ledger, calendar: BrokerCalendar): readonly BookedDeal[] {
  const kept = keptDeals.get(ledger);
  if (kept?.changes === ledger.changes) return kept.deals;
  const deals = allDeals(ledger, calendar);
  keptDeals.set(ledger, { changes: ledger.changes, deals });
  return deals;
}

/** The bookings at the last query, as polls usually find no new ones. */
const keptDeals = new WeakMap<Ledger, { changes: number; deals: readonly BookedDeal[] }>();

function allDeals(ledger: Ledger, calendar: BrokerCalendar): BookedDeal[] {
  const cash = ledger.cash.map((entry) => cashDeal(entry, calendar));
  const build = ledger.account.family === 'p5' ? p5Deals : p4Deals;
  const trades = ledger.positions.flatMap((position) => build(position, calendar));
  return [...cash, ...trades].sort((a, b) => a.utcMs - b.utcMs || compareDeals(a.deal, b.deal));
}

function cashDeal(entry: CashEntry, calendar: BrokerCalendar): BookedDeal {
  const { utcMs, type, amount, comment } = entry;
  return {
    utcMs,
    deal: {
      id: String(entry.ticket),
      type,
      volume: 0,
      profit: amount,
      swap: 0,
      commission: 0,
      fee: 0,
      timeMs: calendar.brokerTime(utcMs),
      comment,
    },
  };
}

/** One opening deal and one for each close, all of the opening order's position. */
function p5Deals(position: Position, calendar: BrokerCalendar): BookedDeal[] {
  const positionId = String(position.ticket);
  return [
    opening(position, calendar, String(position.deal), positionId, position.volume),
    ...position.exits.map((exit) =>
      closing(position, exit, calendar, String(exit.deal), positionId),
    ),
  ];
}

/** Each close ends a ticket with the closed volume; the rest continues under a new one. */
function p4Deals(position: Position, calendar: BrokerCalendar): BookedDeal[] {
  let ticket = position.ticket;
  return position.exits.flatMap((exit) => {
    const id = String(ticket);
    ticket = exit.restTicket;
    const opened = opening(position, calendar, `${id}-in`, id, exit.volume);
    const closed = closing(position, exit, calendar, `${id}-out`, id);
    // A ticket has one comment.
    return [{ utcMs: exit.utcMs, deal: { ...opened.deal, ...commentOf(exit) } }, closed];
  });
}

function opening(
  position: Position,
  calendar: BrokerCalendar,
  id: string,
  positionId: string,
  volume: number,
): BookedDeal {
  return {
    utcMs: position.openUtcMs,
    deal: {
      ...shared(position),
      id,
      positionId,
      type: position.side === 1 ? 'DEAL_TYPE_BUY' : 'DEAL_TYPE_SELL',
      entry: 'DEAL_ENTRY_IN',
      volume,
      price: position.openPrice,
      profit: 0,
      swap: 0,
      commission: position.commission,
      fee: 0,
      timeMs: calendar.brokerTime(position.openUtcMs),
    },
  };
}

function closing(
  position: Position,
  exit: Exit,
  calendar: BrokerCalendar,
  id: string,
  positionId: string,
): BookedDeal {
  return {
    utcMs: exit.utcMs,
    deal: {
      ...shared(position),
      id,
      positionId,
      type: position.side === 1 ? 'DEAL_TYPE_SELL' : 'DEAL_TYPE_BUY',
      entry: 'DEAL_ENTRY_OUT',
      volume: exit.volume,
      price: exit.price,
      positionPrice: position.openPrice,
      profit: exit.profit,
      swap: exit.swap,
      commission: exit.commission,
      fee: 0,
      timeMs: calendar.brokerTime(exit.utcMs),
      ...commentOf(exit),
    },
  };
}

const commentOf = ({ comment }: Exit) => (comment === '' ? {} : { comment });

/** Planned trades are those of an expert; one expert takes half of its profit early. */
const [PLANNED, IN_HALVES] = [1001, 1002];

function magicOf({ timeoutUtcMs, partialUtcMs }: PositionEnds): number {
  if (timeoutUtcMs === undefined) return 0;
  return partialUtcMs === undefined ? PLANNED : IN_HALVES;
}

const shared = ({ instrument, stopLoss, takeProfit, ...ends }: Position) => ({
  symbol: instrument.symbol,
  ...{ magic: magicOf(ends), stopLoss, takeProfit },
  digits: instrument.digits,
  contractSize: instrument.contractSize,
});
