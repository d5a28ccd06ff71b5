/** Number texts as terminals print them. */

export type NumberLook = { group: string; mark: string };

export const SPACED: NumberLook = { group: ' ', mark: '.' };
export const HARD_SPACED: NumberLook = { group: '\u00a0', mark: '.' };

export function printNumber(value: number, digits: number, look: NumberLook = SPACED): string {
  const [whole = '', decimals] = Math.abs(value).toFixed(digits).split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, look.group);
  const isZero = Number(value.toFixed(digits)) === 0;
  const sign = value < 0 && !isZero ? '-' : '';
  return `${sign}${grouped}${decimals === undefined ? '' : look.mark + decimals}`;
}

/** `2026.05.18 09:14:03` */
export const printTime = (timeMs: number): string =>
  new Date(timeMs).toISOString().slice(0, 19).replaceAll('-', '.').replace('T', ' ');
