import { Broker } from './broker.ts';
import { type Commands, integer, type Request, text } from './commands.ts';
import type { Deal, Store } from './state.ts';
import { BAD_PARAMETERS, matchesMasks, NOT_FOUND, Refusal, type Row } from './wire.ts';

/** However many rows a page asks for, it gets no more. */
const PAGE_ROWS = 100;

export function dealCommands(store: Store): Commands {
  const broker = new Broker(store);
  const inRange = (request: Request, deals: Deal[]): Deal[] => {
    const from = integer(request, 'from');
    const to = integer(request, 'to');
    return deals.filter(({ Time }) => Time >= from && Time <= to);
  };
  const ofLogin = (request: Request): Deal[] => {
    const login = integer(request, 'login');
    if (!store.user(login)) throw new Refusal(NOT_FOUND);
    return store.state.deals
      .filter(({ Login }) => Login === login)
      .sort((a, b) => a.TimeMsc - b.TimeMsc || a.Deal - b.Deal);
  };
  const positionsOf = (request: Request): Row[] => {
    const login = integer(request, 'login');
    return store.state.positions
      .filter(({ Login }) => Login === login)
      .map((position) => broker.positionRow(position));
  };
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
    '/api/position/get_total': (request) => ({ answer: { total: positionsOf(request).length } }),
    '/api/position/get_page': (request) => ({ answer: page(request, positionsOf(request)) }),
    '/api/position/get_batch': (request) => {
      const logins = new Set(text(request, 'login').split(',').map(Number));
      const open = store.state.positions.filter(({ Login }) => logins.has(Login));
      return { answer: open.map((position) => broker.positionRow(position)) };
    },
  };
}

function batch(
  store: Store,
  request: Request,
  inRange: (request: Request, deals: Deal[]) => Deal[],
): Deal[] {
  const tickets = text(request, 'ticket');
  const symbol = text(request, 'symbol');
  const numbers = new Set((tickets || text(request, 'login')).split(',').map(Number));
  const masks = text(request, 'group');
  const groupOf = (login: number): string => store.user(login)?.Group ?? '';
  const chosen = store.state.deals.filter((deal) => {
    if (symbol !== '' && deal.Symbol !== symbol) return false;
    if (tickets !== '') return numbers.has(deal.Deal);
    return masks === '' ? numbers.has(deal.Login) : matchesMasks(groupOf(deal.Login), masks);
  });
  return tickets === '' ? inRange(request, chosen) : chosen;
}

function page<T>(request: Request, rows: T[]): T[] {
  const offset = integer(request, 'offset');
  return rows.slice(offset, offset + Math.min(integer(request, 'total'), PAGE_ROWS));
}
