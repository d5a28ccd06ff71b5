import { useState } from 'react';
import { TRADE_SIDES, type TradeSide } from '../../../../src/words/accounts.ts';
import { dayAfter } from './months.ts';
import type { TradeQuery } from './read-trades.ts';

/** As typed; empty: any. */
export type TradeFilter = {
  symbol: string;
  kind: '' | TradeSide;
  from: string;
  until: string;
  text: string;
};

export const NO_TRADE_FILTER: TradeFilter = { symbol: '', kind: '', from: '', until: '', text: '' };

/** The query; days are whole, including the last one. */
export function queryOf({ symbol, kind, from, until, text }: TradeFilter): TradeQuery {
  return {
    ...(symbol.trim() ? { symbol: symbol.trim() } : {}),
    ...(kind ? { kind } : {}),
    ...(from ? { startTime: `${from} 00:00:00.000` } : {}),
    ...(until ? { endTime: `${dayAfter(until)} 00:00:00.000` } : {}),
    ...(text.trim() ? { text: text.trim() } : {}),
  };
}

/** As the address has it, so that a link shows the same. */
export function filterOf(query: URLSearchParams): TradeFilter {
  const text = (name: keyof TradeFilter): string => query.get(name) ?? '';
  const date = (name: 'from' | 'until'): string =>
    /^\d{4}-\d\d-\d\d$/.test(text(name)) ? text(name) : '';
  const kind = TRADE_SIDES.find((side) => side === text('kind')) ?? '';
  return {
    symbol: text('symbol'),
    kind,
    from: date('from'),
    until: date('until'),
    text: text('text'),
  };
}

export function TradeFilters(props: {
  filter: TradeFilter;
  change: (changes: Partial<TradeFilter>) => void;
}) {
  const { filter, change } = props;
  const text = (name: 'symbol' | 'text', label: string, type = 'search') => (
    <label className="trade-filter">
      <span>{label}</span>
      <input
        type={type}
        spellCheck={false}
        value={filter[name]}
        onChange={(event) => change({ [name]: event.target.value })}
      />
    </label>
  );
  const date = (name: 'from' | 'until', label: string) => (
    <label className="trade-filter">
      <span>{label}</span>
      <input
        type="date"
        value={filter[name]}
        onChange={(event) => change({ [name]: event.target.value })}
      />
    </label>
  );
  const chosen = Object.values(filter).filter(Boolean).length;
  // At the beginning: later it would close on who empties it.
  const [isOpen] = useState(chosen > 0 || !matchMedia('(max-width: 720px)').matches);
  return (
    <details className="trade-fold" open={isOpen}>
      <summary>Filter{chosen > 0 ? ` (${chosen})` : ''}</summary>
      <search className="trade-filters">
        {text('symbol', 'Symbol')}
        <label className="trade-filter">
          <span>Side</span>
          <select
            value={filter.kind}
            onChange={(event) => change({ kind: event.target.value as TradeFilter['kind'] })}
          >
            <option value="">Any</option>
            <option value="buy">Buy</option>
            <option value="sell">Sell</option>
            <option value="other">Balance operations</option>
          </select>
        </label>
        {date('from', 'Closed from')}
        {date('until', 'Closed until')}
        {text('text', 'Comment or ticket')}
      </search>
    </details>
  );
}
