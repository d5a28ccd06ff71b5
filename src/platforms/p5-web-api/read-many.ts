import type { LoginReading, ManyQuery, PlatformAccountState } from '../gateway.ts';
import type { P5States } from './states.ts';

/** Logins of one request; a state and its deals must be of the same moment. */
const LOGINS_PER_REQUEST = 100;

/**
 * States and deals of many logins. A state goes with its deals when balance and credit did not move
 * while the deals were read; a login that trades right then is left out.
 */
export async function readMany(
  states: P5States,
  { logins, fromMs, toMs }: ManyQuery,
  signal?: AbortSignal,
): Promise<Map<number, LoginReading>> {
  const readings = new Map<number, LoginReading>();
  for (let start = 0; start < logins.length; start += LOGINS_PER_REQUEST) {
    const part = logins.slice(start, start + LOGINS_PER_REQUEST);
    const numbers = part.map(({ login }) => login);
    const digits = new Map(part.map(({ login, moneyDigits }) => [login, moneyDigits]));
    const before = await states.statesOf(numbers, signal);
    const query = {
      ...{ selection: { logins: numbers }, fromMs, toMs },
      moneyDigits: (login: number) => digits.get(login),
    };
    const deals = new Map<number, LoginReading['deals']>();
    for await (const batch of states.readDeals(query, signal))
      for (const { login, deals: found } of batch) deals.set(login, found);
    for (const [login, state] of await states.statesOf(numbers, signal))
      if (isSame(before.get(login), state))
        readings.set(login, { state, deals: deals.get(login) ?? [] });
  }
  return readings;
}

const isSame = (before: PlatformAccountState | undefined, after: PlatformAccountState): boolean =>
  before?.balance === after.balance && before.credit === after.credit;
