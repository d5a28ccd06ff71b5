import { useState } from 'react';
import type {
  AccountMetricsRecord,
  PartMetricsRecord,
} from '../../../../src/contract/operations/metrics.ts';
import { Card } from '../../components/card.tsx';
import { Money } from '../../components/money.tsx';
import { Segmented } from '../../components/segmented.tsx';
import { Table } from '../../components/table.tsx';
import { formatDuration, formatFixed, formatNumber, formatPercent } from '../../lib/format.ts';
import { expertName } from './expert-name.ts';

const SHOWN = 30;

type Metrics = AccountMetricsRecord | PartMetricsRecord;
type Group = Omit<Metrics['byMagic'][number], 'magic'> & { name: string };

const WEEKDAYS = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');
const DURATIONS: Record<Metrics['byDuration'][number]['duration'], string> = {
  under1m: 'Under a minute',
  '1m-5m': '1 to 5 minutes',
  '5m-15m': '5 to 15 minutes',
  '15m-1h': '15 minutes to an hour',
  '1h-4h': '1 to 4 hours',
  '4h-1d': '4 hours to a day',
  '1d-1w': 'A day to a week',
  over1w: 'Over a week',
};

/** How trades are grouped, and the columns of each kind. */
const KINDS = {
  symbol: {
    title: 'Symbol',
    groups: ({ bySymbol }: Metrics): Group[] =>
      bySymbol
        .map((group) => ({ ...group, name: group.symbol }))
        .sort((a, b) => b.profit - a.profit),
  },
  magic: {
    title: 'Expert',
    groups: ({ byMagic }: Metrics): Group[] =>
      byMagic
        .map((group) => ({ ...group, name: expertName(group.magic) }))
        .sort((a, b) => b.profit - a.profit),
  },
  weekday: {
    title: 'Weekday',
    groups: ({ closeTradesByWeekDay }: Metrics): Group[] =>
      closeTradesByWeekDay.map((group) => ({ ...group, name: WEEKDAYS[group.day] ?? '' })),
  },
  hour: {
    title: 'Hour',
    groups: ({ openTradesByHour }: Metrics): Group[] =>
      openTradesByHour.map((group) => ({
        ...group,
        name: `${String(group.hour).padStart(2, '0')}:00`,
      })),
  },
  duration: {
    title: 'Held for',
    groups: ({ byDuration }: Metrics): Group[] =>
      byDuration.map((group) => ({ ...group, name: DURATIONS[group.duration] })),
  },
};
type Kind = keyof typeof KINDS;

/** Profit by symbol, expert, weekday or hour, and of longs and shorts. */
export function GroupTable({ metrics }: { metrics: Metrics }) {
  const [kind, setKind] = useState<Kind>('symbol');
  const groups = KINDS[kind].groups(metrics);
  const widest = Math.max(...groups.map(({ profit }) => Math.abs(profit)), 1);
  const title = `Profit by ${kind === 'magic' ? 'expert' : kind}`;
  const kinds = Object.keys(KINDS) as Kind[];
  const money = (value: number) => <Money value={value} currency={metrics.currency} signed bare />;
  return (
    <Card
      title={title}
      hint={
        groups.length > SHOWN
          ? `${SHOWN} of ${formatNumber(groups.length, 0)}`
          : 'Hours by opening, weekdays by closing, in broker time'
      }
      flush
      actions={
        <Segmented
          legend="Told apart by"
          options={kinds.map((value) => ({ value, title: KINDS[value].title }))}
          value={kind}
          choose={setKind}
        />
      }
    >
      <Table
        caption={title}
        rows={groups.slice(0, SHOWN)}
        rowKey={({ name }) => name}
        columns={[
          { title: KINDS[kind].title, cell: ({ name }) => <strong>{name}</strong> },
          {
            title: `Profit (${metrics.currency})`,
            align: 'end',
            cell: ({ profit }) => money(profit),
          },
          {
            title: 'Share',
            wide: true,
            cell: ({ profit }) => (
              <span className="diverging" aria-hidden="true">
                <span
                  className={profit < 0 ? 'diverging-loss' : 'diverging-win'}
                  style={{ width: `${(Math.abs(profit) / widest) * 50}%` }}
                />
              </span>
            ),
          },
          { title: 'Trades', align: 'end', cell: ({ trades }) => formatNumber(trades, 0) },
          { title: 'Won', align: 'end', cell: (group) => formatPercent(group.wonTradesPercent, 0) },
          {
            title: 'Long',
            align: 'end',
            wide: true,
            cell: ({ longProfit }) => money(longProfit),
          },
          {
            title: 'Short',
            align: 'end',
            wide: true,
            cell: ({ shortProfit }) => money(shortProfit),
          },
          {
            title: 'Profit factor',
            align: 'end',
            wide: true,
            cell: ({ profitFactor }) =>
              profitFactor === undefined ? '–' : formatFixed(profitFactor, 2),
          },
          {
            title: 'Held',
            align: 'end',
            wide: true,
            cell: ({ averageMinutes }) => formatDuration(averageMinutes),
          },
          { title: 'Lots', align: 'end', wide: true, cell: ({ lots }) => formatNumber(lots) },
        ]}
      />
    </Card>
  );
}
