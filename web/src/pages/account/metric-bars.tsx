import { useState } from 'react';
import type { AccountMetricsRecord } from '../../../../src/contract/operations/metrics.ts';
import { BarColumns } from '../../components/bar-columns.tsx';
import { Card } from '../../components/card.tsx';
import { formatMoney, formatPercent } from '../../lib/format.ts';

const MONTHS_SHOWN = 24;

export function MonthBars({ metrics }: { metrics: AccountMetricsRecord }) {
  const months = metrics.monthlyAnalytics.slice(-MONTHS_SHOWN);
  return (
    <Card title="Growth by month" hint="In percent, deposits and withdrawals left out">
      <BarColumns
        label="Growth by month"
        unit="Growth"
        items={months.map((month) => ({
          key: month.date,
          label: months.length > 13 ? month.date.slice(2) : month.date,
          value: month.gains ?? 0,
          text: formatPercent(month.gains ?? 0, Math.abs(month.gains ?? 0) < 10 ? 1 : 0, true),
          title: `${month.date}: ${formatPercent(month.gains ?? 0, 2, true)}, ${formatMoney(month.profit, metrics.currency, true)}, ${month.trades} trades`,
        }))}
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
        <fieldset className="segmented segmented-small">
          <legend className="visually-hidden">Hour of</legend>
          {(['openTradesByHour', 'closeTradesByHour'] as const).map((id) => (
            <label key={id}>
              <input type="radio" name="hour" checked={kind === id} onChange={() => setKind(id)} />
              <span>{id === 'openTradesByHour' ? 'Opened' : 'Closed'}</span>
            </label>
          ))}
        </fieldset>
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
            title: `${String(hour).padStart(2, '0')}:00: ${formatMoney(profit, metrics.currency, true)}, ${groups.get(hour)?.trades ?? 0} trades`,
          };
        })}
      />
    </Card>
  );
}
