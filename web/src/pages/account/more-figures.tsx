import type { ReactNode } from 'react';
import type {
  AccountMetricsRecord,
  PartMetricsRecord,
} from '../../../../src/contract/operations/metrics.ts';
import { Card } from '../../components/card.tsx';
import { Money } from '../../components/money.tsx';
import { Table } from '../../components/table.tsx';
import { countOf, formatFixed, formatNumber, formatPercent } from '../../lib/format.ts';

type Figure = { title: string; value: ReactNode; meaning: string };
type Metrics = AccountMetricsRecord | PartMetricsRecord;

/** Figures that need an explanation; undefined ones are left out. */
export function MoreFigures({ metrics }: { metrics: Metrics }) {
  return (
    <Card title="What the figures say" flush>
      <Table
        caption="What the figures say"
        rows={figuresOf(metrics).filter(({ value }) => value !== undefined)}
        rowKey={({ title }) => title}
        columns={[
          { title: 'Figure', cell: ({ title }) => <strong>{title}</strong> },
          { title: 'Value', align: 'end', cell: ({ value }) => value },
          { title: 'Meaning', cell: ({ meaning }) => <span className="hint">{meaning}</span> },
        ]}
      />
    </Card>
  );
}

const ratio = (value: number | undefined): ReactNode =>
  value === undefined ? undefined : formatFixed(value, 2);

function figuresOf(metrics: Metrics): Figure[] {
  const { currency, riskMultiples: multiples, calendarResults } = metrics;
  const money = (value: number | undefined): ReactNode =>
    value === undefined ? undefined : <Money value={value} currency={currency} signed />;
  return [
    {
      title: 'Payoff ratio',
      value: ratio(metrics.payoffRatio),
      meaning:
        'How many times an average loss an average win is: average win ÷ average loss, without sign.',
    },
    {
      title: 'Kelly',
      value:
        metrics.kellyPercent === undefined ? undefined : formatPercent(metrics.kellyPercent, 1),
      meaning:
        'The share of the capital to risk that would have grown it fastest: share won − share lost ÷ payoff ratio. Few risk half of it.',
    },
    {
      title: 'System quality (SQN)',
      value: ratio(metrics.systemQualityNumber),
      meaning:
        'How sure the average result is, given how results scatter: √trades × mean ÷ standard deviation. Above 2 is good.',
    },
    {
      title: 'Gain to pain',
      value: ratio(metrics.gainToPainRatio),
      meaning:
        'Profit for each unit lost in losing months: sum of all months ÷ sum of the losing ones, without sign. Above 1 is good.',
    },
    {
      title: 'Tail ratio',
      value: ratio(metrics.risk?.tailRatio),
      meaning:
        'The best days over the worst ones: the return that one day in twenty exceeds ÷ the loss that one in twenty exceeds. Below 1, bad days are the larger.',
    },
    {
      title: 'Average R',
      value: multiples ? formatFixed(multiples.average, 2) : undefined,
      meaning: `Result of a trade for each unit that its stop risked, of ${formatNumber(multiples?.trades ?? 0, 0)} trades with a known stop.`,
    },
    ...(['days', 'weeks', 'months'] as const).flatMap((unit): Figure[] => {
      const { best, bestDate, worst, worstDate, profitable, losing } = calendarResults[unit];
      const one = unit.slice(0, -1);
      const were = (count: number): string => (count === 1 ? 'was' : 'were');
      return [
        {
          title: `Best ${one}`,
          value: money(best),
          meaning: `From ${bestDate ?? '–'}; ${countOf(profitable, one)} ${were(profitable)} profitable.`,
        },
        {
          title: `Worst ${one}`,
          value: money(worst),
          meaning: `From ${worstDate ?? '–'}; ${countOf(losing, one)} lost.`,
        },
      ];
    }),
  ];
}
