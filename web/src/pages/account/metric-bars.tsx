import { useState } from 'react';
import type { AccountMetricsRecord } from '../../../../src/contract/operations/metrics.ts';
import { BarColumns } from '../../components/bar-columns.tsx';
import { Card } from '../../components/card.tsx';
import { Segmented } from '../../components/segmented.tsx';
import { countOf, formatMoney, formatPercent } from '../../lib/format.ts';
import { everyMonth } from './months.ts';

const MONTHS_SHOWN = 24;

export function MonthBars({ metrics }: { metrics: AccountMetricsRecord }) {
  const { currency } = metrics;
  const all = everyMonth(metrics.monthlyAnalytics);
  const months = all.slice(-MONTHS_SHOWN);
  const isByMoney = metrics.gain === undefined;
  return (
    <Card
      title={isByMoney ? 'Profit by month' : 'Growth by month'}
      hint={
        (isByMoney
          ? `In ${currency}: without a known deposit there is no growth in percent`
          : 'In percent, deposits and withdrawals left out') +
        (all.length > months.length ? `; the last ${MONTHS_SHOWN} of ${all.length} months` : '')
      }
    >
      <BarColumns
        label={isByMoney ? 'Profit by month' : 'Growth by month'}
        unit="Growth"
        items={months.map(({ date, profit, gains: gain, trades }) => {
          const money = formatMoney(profit, currency, true);
          const growth = gain === undefined ? '' : `${formatPercent(gain, 2, true)}, `;
          return {
            key: date,
            label: months.length > 13 ? date.slice(2) : date,
            value: isByMoney ? profit : (gain ?? 0),
            text: gain === undefined ? '' : formatPercent(gain, 1, true),
            title: `${date}: ${trades === 0 && profit === 0 ? 'no trades' : `${growth}${money}, ${countOf(trades, 'trade')}`}`,
          };
        })}
      />
    </Card>
  );
}

export function HourBars({ metrics }: { metrics: AccountMetricsRecord }) {
  const [kind, setKind] = useState<'openTradesByHour' | 'closeTradesByHour'>('openTradesByHour');
  const groups = new Map(metrics[kind].map((group) => [group.hour, group]));
  return (
    <Card
      title="Profit by hour"
      hint={`Hour of day, broker time, in ${metrics.currency}`}
      actions={
        <Segmented
          legend="Hour of"
          options={[
            { value: 'openTradesByHour', title: 'Opened' },
            { value: 'closeTradesByHour', title: 'Closed' },
          ]}
          value={kind}
          choose={setKind}
        />
      }
    >
      <BarColumns
        label="Profit by hour of day"
        unit="Profit"
        items={Array.from({ length: 24 }, (_, hour) => {
          const profit = groups.get(hour)?.profit ?? 0;
          return {
            key: String(hour),
            label: String(hour).padStart(2, '0'),
            value: profit,
            title: `${String(hour).padStart(2, '0')}:00: ${formatMoney(profit, metrics.currency, true)}, ${countOf(groups.get(hour)?.trades ?? 0, 'trade')}`,
          };
        })}
      />
    </Card>
  );
}
