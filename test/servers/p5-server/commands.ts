import { dealCommands } from './deal-commands.ts';
import { type Dealer, dealerCommands } from './dealer-commands.ts';
import { marketCommands } from './market-commands.ts';
import type { Store } from './state.ts';
import { userCommands } from './user-commands.ts';
import { Refusal, type Row } from './wire.ts';

/**
 * Parameters of the query with those of a JSON body over them; names of both are kept as sent. Some
 * results are known only to the connection that asked for them.
 */
export type Request = { query: URLSearchParams; body: Row; connection: object };
export type Command = (request: Request) => Row;
export type Commands = Record<string, Command>;

/** All commands that an authenticated manager may send. */
export function allCommands(store: Store, dealer: Dealer): Commands {
  return {
    '/api/test/access': () => ({}),
    '/api/quit': () => ({}),
    '/api/time/server': () => ({ time: `${Math.floor(store.now() / 1000)} 0 0 0` }),
    '/api/time/get': () => ({
      answer: { Daylight: 0, DaylightState: 0, TimeZone: store.state.clockShiftMs / 60_000 },
    }),
    '/api/common/get': () => ({ answer: { Name: 'Harbour Test Server', Owner: 'Harbour' } }),
    ...userCommands(store),
    ...dealCommands(store),
    ...marketCommands(store),
    ...dealerCommands(dealer),
  };
}

export function text({ query, body }: Request, name: string): string {
  return String(body[name] ?? query.get(name) ?? '');
}

export function integer(request: Request, name: string): number {
  const value = text(request, name);
  if (!/^\d+$/.test(value)) throw new Refusal('3 Invalid parameters');
  return Number(value);
}
