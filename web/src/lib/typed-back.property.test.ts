import assert from 'node:assert/strict';
import { it } from 'node:test';
import { fc } from '../../../test/properties.ts';
import { LEVERAGE, leverageWords } from '../accounts/account-form.ts';
import { HOURS_ADDED } from '../components/clock-form.ts';
import { AMOUNT, DAYS, PERCENT, TARGET_PERCENT } from '../programs/read-program.ts';
import { rulesOf, SETTLE } from '../rules/rule-form.ts';
import { currencyDigits } from './currency-digits.ts';
import {
  countOf,
  formatAmount,
  formatFixed,
  formatFraction,
  formatMoney,
  formatNumber,
  formatPercent,
  formatRulePercent,
} from './format.ts';
import { type NumberRules, readNumber } from './read-number.ts';

type Way = [what: string, rules: NumberRules, digits: number, write: (value: number) => string];

const waysOf = (currency: string): Way[] => {
  const digits = currencyDigits(currency);
  const money = rulesOf('drawdownMoney', currency);
  const percent = rulesOf('drawdownPercent', currency);
  return [
    ['leverage', LEVERAGE, 2, leverageWords],
    ['days', DAYS, 0, (value) => countOf(value, 'day')],
    ['seconds', SETTLE, 3, (value) => `${formatNumber(value, 3)} s`],
    ['hours', HOURS_ADDED, 2, (value) => `${formatNumber(value, 2, true)} h`],
    ['money', money, digits, (value) => formatMoney(value, currency)],
    ['signed money', money, digits, (value) => formatMoney(value, currency, true)],
    ['amount', AMOUNT, digits, (value) => formatAmount(value, currency)],
    ['percent', PERCENT, 2, (value) => formatPercent(value)],
    ['fixed percent', percent, 5, (value) => `${formatFixed(value, 5)} %`],
    ['rule', percent, 5, (value) => formatRulePercent(value / 100)],
    ['fraction', TARGET_PERCENT, 2, (value) => formatFraction(value / 100)],
  ];
};

it('what pages write can be typed back', () => {
  const draw = fc.tuple(
    fc.constantFrom('USD', 'JPY', 'BTC', 'KWD', 'USDT'),
    fc.nat(10),
    fc.double({ min: 0, max: 1, noNaN: true }),
    fc.constantFrom(9, 999, 99_999, 9_999_999),
  );
  fc.assert(
    fc.property(draw, ([currency, index, share, most]) => {
      const [what, rules, digits, write] = waysOf(currency)[index] ?? assert.fail();
      const { min = 0, max = most } = rules;
      const drawn = min + share * (Math.min(max, most) - min);
      const value = Math.max(Number(drawn.toFixed(digits)), min > 0 ? 10 ** -digits : min);
      if (value < min || value > max) return;
      const text = write(value);
      assert.deepEqual(readNumber(text, rules), { kind: 'number', value }, `${what}: ${text}`);
    }),
    { numRuns: 3000 },
  );
});
