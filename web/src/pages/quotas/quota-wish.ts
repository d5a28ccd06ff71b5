import { formatNumber } from '../../lib/format.ts';
import { type NumberRules, numberOf, readNumber } from '../../lib/read-number.ts';
import { QUOTAS, type QuotaName } from './quota-words.ts';
import type { PendingRequest, QuotaWish, RegionQuotas } from './use-quotas.ts';

export const MAXIMUM: NumberRules = { isInteger: true, min: 0, max: 1_000_000 };

/** A request as typed: maxima, empty if not requested, and the reason. */
export type WishForm = Record<QuotaName | 'justification', string>;

/** A pending request is changed, not replaced. */
export function wishFormOf(pending: PendingRequest | undefined): WishForm {
  const wishes = QUOTAS.map(({ name }) => {
    const wish = pending?.requested[name];
    return [name, wish === undefined ? '' : formatNumber(wish)];
  });
  const texts = Object.fromEntries(wishes) as Record<QuotaName, string>;
  return { ...texts, justification: pending?.justification ?? '' };
}

/** The maxima requested by the changes. */
export function wishOf(
  changed: Partial<WishForm>,
  quotas: RegionQuotas,
  pending: PendingRequest | undefined,
): QuotaWish {
  const wish: QuotaWish = {};
  for (const { name } of QUOTAS) {
    const value = numberOf(readNumber(changed[name] ?? '', MAXIMUM));
    // The present quota is no request, unless it takes back a pending one.
    const { [name]: waiting = quotas[name].quota } = pending?.requested ?? {};
    if (value !== undefined && value !== waiting) wish[name] = value;
  }
  return wish;
}
