import type { TradeSide } from '../../../../src/words/accounts.ts';
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

const dayAfter = (date: string): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);

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
  return (
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
  );
}
