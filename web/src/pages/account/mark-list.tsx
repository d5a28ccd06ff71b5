import { useEffect, useRef, useState } from 'react';
import type { AccountRecord } from '../../../../src/contract/operations/accounts.ts';
import { Badge } from '../../components/badge.tsx';
import { BrokerTime } from '../../components/broker-time.tsx';
import { Money } from '../../components/money.tsx';
import { VERDICTS, verdictOf } from '../../desk/verdict.ts';
import { countOf, formatNumber } from '../../lib/format.ts';
import { path } from '../../lib/path.ts';
import type { MarkItem } from './use-marks.ts';

const SHOWN = 100;

/** The marks of the chart in words, newest first; one pressed in the chart is scrolled to. */
export function MarkList(props: {
  account: AccountRecord;
  items: readonly MarkItem[];
  chosen: string | undefined;
}) {
  const { account, items, chosen } = props;
  const [isOpen, setOpen] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    if (chosen === undefined) return;
    setOpen(true);
    requestAnimationFrame(() => {
      list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
    });
  }, [chosen]);
  if (items.length === 0) return null;
  const place = items.findIndex(({ mark }) => mark.id === chosen);
  const start = Math.max(0, place - SHOWN / 2);
  const shown = items.slice(start, start + SHOWN);
  return (
    <details
      className="marks"
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>{countOf(items.length, 'mark')} in this range</summary>
      <ul ref={list}>
        {shown.map((item) => (
          <li key={item.mark.id} aria-current={item.mark.id === chosen ? 'true' : undefined}>
            <Item item={item} account={account} />
          </li>
        ))}
      </ul>
      {items.length > shown.length ? (
        <p className="hint">
          {shown.length} of {items.length} are listed: zoom in for the others.
        </p>
      ) : null}
    </details>
  );
}

function Item({ item, account }: { item: MarkItem; account: AccountRecord }) {
  const { currency } = account;
  if (item.what === 'incident') {
    const { incident } = item;
    const { title, tone } = VERDICTS[verdictOf(incident)];
    return (
      <>
        <BrokerTime value={incident.brokerTime} bare seconds />
        <Badge tone={tone}>{title}</Badge>
        <span>{incident.events.map(({ trackerName }) => trackerName ?? 'deleted').join(', ')}</span>
        <a href={path.incident(incident.id)}>
          Evidence<span className="visually-hidden"> of incident {incident.id}</span>
        </a>
      </>
    );
  }
  if (item.what === 'transfer') {
    return (
      <>
        <BrokerTime value={item.brokerTime} bare seconds />
        <Badge tone="accent">{item.amount < 0 ? 'Paid out' : 'Paid in'}</Badge>
        <Money value={item.amount} currency={currency} signed />
      </>
    );
  }
  const { trade } = item;
  return (
    <>
      <BrokerTime value={trade.closeTime} bare seconds />
      <Badge>Closed</Badge>
      <span>
        {trade.symbol} {trade.type === 'DEAL_TYPE_SELL' ? 'sell' : 'buy'}{' '}
        {formatNumber(trade.volume, 8)} lots
      </span>
      <Money value={trade.profit} currency={currency} signed />
    </>
  );
}
