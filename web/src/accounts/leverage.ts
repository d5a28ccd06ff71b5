import { type NumberRules, numberOf, readNumber } from '../lib/read-number.ts';

export const LEVERAGE: NumberRules = { min: 0.01, max: 100_000, digits: 2 };

export const readLeverage = (text: string): number | undefined =>
  numberOf(readNumber(text, LEVERAGE));
