import { useState } from 'react';
import type { AccountMetricsRecord } from '../../../../src/contract/operations/metrics.ts';
import { Card } from '../../components/card.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { Loading } from '../../components/loading.tsx';
import { expertName } from './expert-name.ts';
import { GroupTable } from './group-table.tsx';
import { dayAfter } from './months.ts';
import { MoreFigures } from './more-figures.tsx';
import { type PartQuery, usePartMetrics } from './use-account.ts';

type Cut = { symbol: string; side: '' | 'buy' | 'sell'; magic: string; from: string; to: string };
const NO_CUT: Cut = { symbol: '', side: '', magic: '', from: '', to: '' };

/** Statistics of a part of the trades: of a symbol, a side, an expert, a range of days. */
export function CutsCard(props: { accountId: string; metrics: AccountMetricsRecord }) {
  const { accountId, metrics: all } = props;
  const [cut, setCut] = useState<Cut>(NO_CUT);
  const query = queryOf(cut);
  const isCut = Object.keys(query).length > 0;
  const { metrics: part, error, retry } = usePartMetrics(accountId, query);
  const metrics = isCut ? part : all;
  const change = (changes: Partial<Cut>) => setCut({ ...cut, ...changes });
  return (
    <>
      <Card title="Only some trades" hint="Everything below is of these; days by closing">
        <CutFields cut={cut} change={change} metrics={all} />
      </Card>
      {error ? <ErrorNote title="No statistics." error={error} retry={retry} /> : null}
      {metrics ? (
        <>
          <GroupTable metrics={metrics} />
          <MoreFigures metrics={metrics} />
        </>
      ) : error ? null : (
        <Loading label="Computing statistics" lines={4} />
      )}
    </>
  );
}

function queryOf({ symbol, side, magic, from, to }: Cut): PartQuery {
  return {
    ...(symbol ? { symbol } : {}),
    ...(side ? { side } : {}),
    ...(magic ? { magic: Number(magic) } : {}),
    ...(from ? { from } : {}),
    // The last day is included.
    ...(to ? { to: dayAfter(to) } : {}),
  };
}

function CutFields(props: {
  cut: Cut;
  change: (changes: Partial<Cut>) => void;
  metrics: AccountMetricsRecord;
}) {
  const { cut, change, metrics } = props;
  const experts = metrics.byMagic.flatMap(({ magic = '' }) => (/^-?\d+$/.test(magic) ? magic : []));
  const select = (name: 'symbol' | 'side' | 'magic', label: string, values: string[][]) => (
    <label className="trade-filter">
      <span>{label}</span>
      <select
        value={cut[name]}
        onChange={({ target }) => change({ [name]: target.value } as Partial<Cut>)}
      >
        <option value="">All</option>
        {values.map(([value, title]) => (
          <option key={value} value={value}>
            {title}
          </option>
        ))}
      </select>
    </label>
  );
  const date = (name: 'from' | 'to', label: string) => (
    <label className="trade-filter">
      <span>{label}</span>
      <input
        type="date"
        value={cut[name]}
        onChange={({ target }) => change({ [name]: target.value })}
      />
    </label>
  );
  return (
    <search className="trade-filters">
      {select(
        'symbol',
        'Symbol',
        metrics.bySymbol.map(({ symbol }) => [symbol, symbol]),
      )}
      {select('side', 'Side', [
        ['buy', 'Buy'],
        ['sell', 'Sell'],
      ])}
      {experts.length > 0
        ? select(
            'magic',
            'Expert',
            experts.map((magic) => [magic, expertName(magic)]),
          )
        : null}
      {date('from', 'From')}
      {date('to', 'Until')}
    </search>
  );
}
