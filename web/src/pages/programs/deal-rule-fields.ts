import { FORBIDDEN_ACTS, OPEN_SCOPES } from '../../../../src/words/programs.ts';
import { optionsOf } from '../../components/choice-field.tsx';
import type { FieldRow } from '../../components/field-table.ts';
import { formatNumber } from '../../lib/format.ts';
import type { LineForm } from '../../programs/program-form.ts';
import { mostRules, SECONDS } from '../../programs/read-deal-rule.ts';

/** The fields of a rule over deals; none of others. */
export function dealRuleFields(line: LineForm): readonly FieldRow<LineForm>[] {
  switch (line.kind) {
    case 'allowedSymbols':
      return [
        { name: 'only', label: 'Only these symbols', placeholder: 'EURUSD, XAU*', maxLength: 2000 },
        { name: 'excluded', label: 'Not these symbols', placeholder: 'BTCUSD', maxLength: 2000 },
      ];
    case 'openAtOnce':
      return [
        { name: 'counted', label: 'At most so many', options: COUNTED },
        { name: 'most', label: 'Number', required: true, rules: mostRules(line), words: plain },
        { name: 'per', label: 'Counted', options: optionsOf(OPEN_SCOPES) },
      ];
    case 'closedHours':
      return [
        { name: 'forbids', label: 'Forbidden is', options: optionsOf(FORBIDDEN_ACTS) },
        { name: 'starts', label: 'From', required: true, placeholder: 'FRI 22:00', maxLength: 9 },
        { name: 'ends', label: 'Until', required: true, placeholder: 'SUN 23:00', maxLength: 9 },
      ];
    case 'holdingTime':
      return [{ name: 'seconds', label: 'Seconds', required: true, rules: SECONDS, words: plain }];
    default:
      return [];
  }
}

const COUNTED = optionsOf({ lots: 'lots', positions: 'positions' });
const plain = (value: number): string => formatNumber(value, 8);
