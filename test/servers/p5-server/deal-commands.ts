import { Broker } from './broker.ts';
import { type Commands, integer, type Request, text } from './commands.ts';
import type { Deal, Order, Position, Store } from './state.ts';
import { BAD_PARAMETERS, matchesMasks, NOT_FOUND, Refusal, type Row } from './wire.ts';

/** However many rows a page requests, it gets no more than this. */
const PAGE_ROWS = 100;

export function dealCommands(store: Store): Commands {
  const broker = new Broker(store);
  const inRange = (request: Request, deals: readonly Deal[]): Deal[] => {
    const from = integer(request, 'from');
    const to = integer(request, 'to');
    return deals.filter(({ Time }) => Time >= from && Time <= to);
  };
  const ofLogin = (request: Request): Deal[] => {
    const login = integer(request, 'login');
    if (!store.user(login)) throw new Refusal(NOT_FOUND);
    return store.dealsOf(login).toSorted((a, b) => a.TimeMsc - b.TimeMsc || a.Deal - b.Deal);
  };
  const openOf = (request: Request, rows: readonly (Position | Order)[]): Row[] => {
    const logins = new Set(text(request, 'login').split(',').map(Number));
    const chosen = rows.filter(({ Login }) => logins.has(Login));
    return chosen.map((row) =>
      'Position' in row ? broker.positionRow(row) : broker.orderRow(row),
    );
  };
  const openCommands = (kind: string, rows: () => readonly (Position | Order)[]): Commands => ({
    [`/api/${kind}/get_total`]: (request) => ({
      answer: { total: openOf(request, rows()).length },
    }),
    [`/api/${kind}/get_page`]: (request) => ({ answer: page(request, openOf(request, rows())) }),
    [`/api/${kind}/get_batch`]: (request) => ({ answer: openOf(request, rows()) }),
  });
  return {
    '/api/deal/get': (request) => {
      const ticket = integer(request, 'ticket');
      const deal = store.state.deals.find(({ Deal: id }) => id === ticket);
      if (!deal) throw new Refusal(NOT_FOUND);
      return { answer: deal };
    },
    '/api/deal/get_total': (request) => ({
      answer: { total: inRange(request, ofLogin(request)).length },
    }),
    '/api/deal/get_page': (request) => ({
      answer: page(request, inRange(request, ofLogin(request))),
    }),
    '/api/deal/get_batch': (request) => {
      const given = ['login', 'group', 'ticket'].filter((name) => text(request, name) !== '');
      if (given.length !== 1) throw new Refusal(BAD_PARAMETERS);
      return { answer: batch(store, request, inRange) };
    },
    ...openCommands('position', () => store.state.positions),
    ...openCommands('order', () => store.state.orders),
  };
}

function batch(
  store: Store,
  request: Request,
  inRange: (request: Request, deals: readonly Deal[]) => Deal[],
): Deal[] {
  const tickets = text(request, 'ticket');
  const symbol = text(request, 'symbol');
  const numbers = new Set((tickets || text(request, 'login')).split(',').map(Number));
  const masks = text(request, 'group');
  const groupOf = (login: number): string => store.user(login)?.Group ?? '';
  if (tickets !== '') return store.state.deals.filter((deal) => numbers.has(deal.Deal));
  const ofLogins =
    masks === ''
      ? [...numbers].flatMap((login) => store.dealsOf(login))
      : store.state.deals.filter(({ Login }) => matchesMasks(groupOf(Login), masks));
  const chosen = inRange(request, ofLogins);
  return symbol === '' ? chosen : chosen.filter((deal) => deal.Symbol === symbol);
}

function page<T>(request: Request, rows: T[]): T[] {
  const offset = integer(request, 'offset');
  return rows.slice(offset, offset + Math.min(integer(request, 'total'), PAGE_ROWS));
}
