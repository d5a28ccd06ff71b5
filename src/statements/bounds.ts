import type { Deal } from '../domain/deal.ts';
import { toVolume } from '../domain/money.ts';
import {
  AMOUNT_MAX,
  COMMENT_TEXT_MAX,
  COMMENTS_TEXT_MAX,
  LOTS_MAX,
  SYMBOL_TEXT_MAX,
  TICKET_TEXT_MAX,
} from './limits.ts';
import { unitsOf } from './numbers.ts';
import type { Warnings } from './warnings.ts';

const CONTROL = /\p{Cc}/u;
const CONTROLS = /\p{Cc}+/gu;

/**
 * The deals within the API's bounds. A deal whose id, symbol, price or amount is not is left out
 * with a warning; a comment is cut.
 */
export function withinBounds(
  deals: readonly Deal[],
  moneyDigits: number,
  warnings: Warnings,
): Deal[] {
  const amountMax = unitsOf(AMOUNT_MAX, moneyDigits) ?? Number.MAX_SAFE_INTEGER;
  const kept = deals.filter((deal) => {
    const why = faultOf(deal, amountMax);
    if (why) warnings.row(undefined, why, `deal ${quoted(deal.id)}`);
    return why === undefined;
  });
  const cut = cutComments(kept);
  if (cut > 0)
    warnings.add(
      'comments_cut',
      `${cut} comments were cut to ${COMMENT_TEXT_MAX} characters, or left out: the file's comments ` +
        `may have ${COMMENTS_TEXT_MAX} characters together`,
    );
  return kept;
}

const VOLUME_MAX = toVolume(LOTS_MAX);

/** Why the API would refuse the deal. */
function faultOf(deal: Deal, amountMax: number): string | undefined {
  if (!isTicket(deal.id)) return `its id is not one of 1 to ${TICKET_TEXT_MAX} plain characters`;
  if (deal.positionId !== undefined && !isTicket(deal.positionId))
    return `its position's id is not one of 1 to ${TICKET_TEXT_MAX} plain characters`;
  const { symbol, volume, price = 0, positionPrice = 0 } = deal;
  if (symbol !== undefined && !isPlain(symbol, SYMBOL_TEXT_MAX))
    return `its symbol is not one of 1 to ${SYMBOL_TEXT_MAX} plain characters`;
  if (volume > VOLUME_MAX) return `its volume is above ${LOTS_MAX} lots`;
  if (Math.abs(price) > AMOUNT_MAX || Math.abs(positionPrice) > AMOUNT_MAX)
    return `its price is above ${AMOUNT_MAX}`;
  const amounts = [deal.profit, deal.swap, deal.commission, deal.fee];
  if (amounts.some((amount) => Math.abs(amount) > amountMax))
    return `an amount of it is above ${AMOUNT_MAX}`;
  return undefined;
}

const isPlain = (text: string, most: number): boolean =>
  text.length > 0 && text.length <= most && !CONTROL.test(text);
const isTicket = (text: string): boolean => isPlain(text, TICKET_TEXT_MAX);
const quoted = (text: string): string => text.slice(0, TICKET_TEXT_MAX).replace(CONTROLS, ' ');

/** Cuts texts that are too long; returns how many comments those were. */
function cutComments(deals: readonly Deal[]): number {
  let left = COMMENTS_TEXT_MAX;
  let cut = 0;
  for (const deal of deals) {
    if (deal.comment === undefined) continue;
    const plain = deal.comment.replace(CONTROLS, ' ');
    const comment = plain.slice(0, Math.min(COMMENT_TEXT_MAX, left)).trim();
    if (plain.trim().length > comment.length) cut += 1;
    left -= comment.length;
    deal.comment = comment || undefined;
  }
  return cut;
}
