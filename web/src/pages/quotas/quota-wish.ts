import { formatNumber } from '../../lib/format.ts';
import { type NumberRules, numberOf, readNumber } from '../../lib/read-number.ts';
import { QUOTAS, type QuotaName } from './quota-words.ts';
import type { PendingRequest, QuotaWish, RegionQuotas } from './use-quotas.ts';

export const MAXIMUM: NumberRules = { isInteger: true, min: 0, max: 1_000_000 };

/** A request as it is typed: maxima, empty where none is asked for, and why. */
export type WishForm = Record<QuotaName | 'justification', string>;

/** A waiting request is changed, not written anew. */
export function wishFormOf(pending: PendingRequest | undefined): WishForm {
  const wishes = QUOTAS.map(({ name }) => {
    const wish = pending?.requested[name];
    return [name, wish === undefined ? '' : formatNumber(wish)];
  });
  const texts = Object.fromEntries(wishes) as Record<QuotaName, string>;
  return { ...texts, justification: pending?.justification ?? '' };
}

/** The maxima that are asked for by what was changed. */
export function wishOf(
  changed: Partial<WishForm>,
  quotas: RegionQuotas,
  pending: PendingRequest | undefined,
): QuotaWish {
  const wish: QuotaWish = {};
  for (const { name } of QUOTAS) {
    const value = numberOf(readNumber(changed[name] ?? '', MAXIMUM));
    // As much as there is already is no wish, unless it takes back one that waits.
    const { [name]: waiting = quotas[name].quota } = pending?.requested ?? {};
    if (value !== undefined && value !== waiting) wish[name] = value;
  }
  return wish;
}
