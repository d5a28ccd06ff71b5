import { type Commands, integer, type Request, text } from './commands.ts';
import type { Store } from './state.ts';
import { matchesMasks, NOT_FOUND, Refusal, type Row } from './wire.ts';

/** Symbols of one answer. */
const MAX_SYMBOLS = 5_000;

export function marketCommands(store: Store): Commands {
  const { state } = store;
  const symbol = (request: Request): Row => {
    const found = state.symbols.find((row) => row.Symbol === text(request, 'symbol'));
    if (!found) throw new Refusal(NOT_FOUND);
    return found;
  };
  const group = (request: Request): Row => {
    const found = state.groups.find(({ Group }) => Group === text(request, 'group'));
    if (!found || !matchesMasks(found.Group, state.manager.groups)) throw new Refusal(NOT_FOUND);
    return found;
  };
  const visible = (): Row[] =>
    state.groups.filter(({ Group }) => matchesMasks(Group, state.manager.groups));
  const at = (rows: readonly Row[], index: number): Row => {
    const row = rows[index];
    if (!row) throw new Refusal(NOT_FOUND);
    return row;
  };
  /** Only changes after the last transaction seen by the caller. */
  const ticks = (request: Request): Row => {
    const masks = text(request, 'symbol');
    const since = Number(text(request, 'trans_id') || '0');
    const rows = state.quotes.filter(
      (quote) =>
        quote.changed > since &&
        (matchesMasks(quote.Symbol, masks) || matchesMasks(`Forex\\${quote.Symbol}`, masks)),
    );
    const timeMs = store.now();
    return {
      trans_id: state.transaction,
      answer: rows.map(({ changed: _changed, ...quote }) => ({
        ...quote,
        Digits: 5,
        Datetime: Math.floor(timeMs / 1000),
        DatetimeMsc: timeMs,
        Last: 0,
        Volume: 0,
      })),
    };
  };
  return {
    '/api/symbol/list': () => ({ answer: state.symbols.map((row) => row.Symbol) }),
    '/api/symbol/total': () => ({ answer: { total: state.symbols.length } }),
    '/api/symbol/next': (request) => ({ answer: at(state.symbols, integer(request, 'index')) }),
    '/api/symbol/get': (request) => {
      const mask = text(request, 'mask');
      if (text(request, 'symbol') !== '') return { answer: symbol(request) };
      const found = state.symbols.filter((row) => matchesMasks(String(row.Path), mask));
      if (found.length <= MAX_SYMBOLS) return { answer: found };
      return { retcode: '14 Partial error', answer: found.slice(0, MAX_SYMBOLS) };
    },
    '/api/symbol/get_group': (request) => {
      group(request);
      return { answer: symbol(request) };
    },
    '/api/group/get': (request) => ({ answer: group(request) }),
    '/api/group/total': () => ({ answer: { total: visible().length } }),
    '/api/group/next': (request) => {
      const [index, count] = [integer(request, 'index'), text(request, 'count')];
      if (count === '') return { answer: at(visible(), index) };
      return { answer: visible().slice(index, index + Number(count)) };
    },
    '/api/tick/last': ticks,
    '/api/tick/last_group': (request) => {
      group(request);
      return ticks(request);
    },
  };
}
