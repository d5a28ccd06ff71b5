import { currencyDigits } from '../../domain/money.ts';
import type { Statement } from '../statement.ts';
import { computedFigures } from './computed-figures.ts';

/** A figure stated by the report, and the one computed from its lists. */
export type ReconciledFigure = {
  /** Key of StatedFigures. */
  name: string;
  stated: number;
  /** Absent if it does not follow from the deals: margin, ticks, the settings of a tester. */
  computed?: number;
};

export type Reconciliation = {
  /** In the order of the report. */
  figures: ReconciledFigure[];
  /** Names of those that differ by more than the report's rounding. */
  differences: string[];
};

/** Compares every stated figure of a report with its own deals. */
export function reconcile(statement: Statement, moneyDigits: number): Reconciliation {
  const computed = computedFigures(statement, moneyDigits);
  const { figures: stated, currency } = statement.stated;
  const digits = currencyDigits(currency ?? 'USD');
  const figures = Object.entries(stated).map(([name, value]): ReconciledFigure => {
    const ours = computed[name];
    return { name, stated: value, ...(ours === undefined ? {} : { computed: ours }) };
  });
  const differs = ({ name, stated: printed, computed: ours }: ReconciledFigure): boolean =>
    ours !== undefined && Math.abs(ours - printed) > allowed(name, printed, digits, statement.kind);
  return { figures, differences: figures.filter(differs).map(({ name }) => name) };
}

const AVERAGES = /^(?:expected_payoff|average_(?:profit|loss)_trade)$/;
/** Averages of money are held in units of four digits; workbooks print more. */
const AVERAGE_DIGITS = 4;
/** The terminal computes its correlation by a formula of its own: up to 2e-4 off the exact one. */
const CORRELATION_WITHIN = 5e-4;
/** The p4 tester rounds each row, so that sums of rows drift by some cents. */
const ROUNDED_ROWS = 0.05;

/** Half of the last printed digit; workbooks print more digits than pages do. */
function allowed(
  name: string,
  printed: number,
  currencyDigit: number,
  kind: Statement['kind'],
): number {
  const written = String(printed).split('.')[1]?.length ?? 0;
  const digits = Math.max(written, currencyDigit);
  const half = 0.5 * 10 ** -(AVERAGES.test(name) ? Math.min(digits, AVERAGE_DIGITS) : digits);
  const within = name === 'lr_correlation' ? Math.max(half, CORRELATION_WITHIN) : half;
  return within + 1e-9 + (kind === 'p4-tester' ? ROUNDED_ROWS : 0);
}
