import type { Deal } from '../../domain/deal.ts';
import { compareDeals } from '../../domain/deal.ts';
import type { LoginReading, ManyQuery, PlatformAccountState } from '../gateway.ts';
import { readStates } from './accounts.ts';
import { batchOf } from './batches.ts';
import type { P5Client } from './client.ts';
import { toDeal } from './deals.ts';
import { numberOf } from './record.ts';

/** Logins of one request; more would make its line too long for some servers. */
const LOGINS_PER_REQUEST = 100;

/**
 * States and deals of many logins. A state goes with its deals when balance and credit did not move
 * while the deals were read; a login that trades right then is left out.
 */
export async function readMany(
  client: P5Client,
  { logins, fromMs, toMs }: ManyQuery,
  signal?: AbortSignal,
): Promise<Map<number, LoginReading>> {
  const readings = new Map<number, LoginReading>();
  for (let start = 0; start < logins.length; start += LOGINS_PER_REQUEST) {
    const part = logins.slice(start, start + LOGINS_PER_REQUEST);
    const numbers = part.map(({ login }) => login);
    const digits = new Map(part.map(({ login, moneyDigits }) => [login, moneyDigits]));
    const before = await readStates(client, numbers, signal);
    const params = {
      login: numbers.join(','),
      from: Math.max(0, Math.floor(fromMs / 1000)),
      to: Math.ceil(toMs / 1000),
    };
    const deals = new Map<number, Deal[]>();
    for (const row of await batchOf(client, '/api/deal/get_batch', params, signal)) {
      const login = numberOf(row, 'Login');
      const deal = toDeal(row, digits.get(login) ?? 0);
      if (deal.timeMs < fromMs || deal.timeMs >= toMs) continue;
      const known = deals.get(login);
      if (known) known.push(deal);
      else deals.set(login, [deal]);
    }
    for (const [login, state] of await readStates(client, numbers, signal))
      if (isSame(before.get(login), state))
        readings.set(login, { state, deals: (deals.get(login) ?? []).sort(compareDeals) });
  }
  return readings;
}

const isSame = (before: PlatformAccountState | undefined, after: PlatformAccountState): boolean =>
  before?.balance === after.balance && before.credit === after.credit;
