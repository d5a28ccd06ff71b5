import { toUnits } from '../../domain/money.ts';
import { ORDER_TYPES } from '../../words/accounts.ts';
import { PlatformError, type PlatformOrder } from '../gateway.ts';
import type { P5Client } from './client.ts';
import { isRecord, type P5Record, requiredNumberOf } from './record.ts';

/** Units of one lot. */
const LOT = 1e8;
/** The finest money of the platform. */
const DIGITS = 8;

/** The command that asks how an order would change the margin of what the account holds. */
export const checkMarginOf = ({ login, symbol, type, volume, openPrice }: PlatformOrder) => ({
  command: '/api/trade/check_margin',
  params: {
    ...{ login, symbol, price: openPrice },
    type: ORDER_TYPES.indexOf(type),
    volume: Math.round(volume * LOT),
  },
});

/** What its answer says. Throws PlatformError for one without both states of the account. */
export function addedMargin({ answer }: P5Record): number {
  const [after, before] = isRecord(answer) ? [answer.new, answer.current] : [];
  if (!isRecord(after) || !isRecord(before))
    throw new PlatformError('unavailable', 'The trading server sent no margin');
  const units = (state: P5Record) => toUnits(requiredNumberOf(state, 'Margin'), DIGITS);
  return (units(after) - units(before)) / 10 ** DIGITS;
}

export const checkMargin = async (client: P5Client, order: PlatformOrder): Promise<number> =>
  addedMargin(await client.call(checkMarginOf(order)));
