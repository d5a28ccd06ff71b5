// biome-ignore-all lint/a11y/useSemanticElements: rows of a <table> can't be placed freely
// biome-ignore-all lint/a11y/useFocusableInteractive: its rows and cells do nothing themselves
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import type { OverviewAccount } from '../../../../src/contract/operations/accounts-overview.ts';
import { Badge } from '../../components/badge.tsx';
import { Bar } from '../../components/bar.tsx';
import { Money } from '../../components/money.tsx';
import { Sparkline } from '../../components/sparkline.tsx';
import { formatBrokerTime } from '../../lib/format.ts';
import { path } from '../../lib/path.ts';
import { replaceQuery } from '../../lib/route.ts';
import type { Order, Sight, Sort } from './use-overview.ts';

type Header = { title: string; sort?: Sort; align?: 'end'; className: string };

const HEADERS: Header[] = [
  { title: 'Account', sort: 'name', className: 'c-name' },
  { title: 'State', className: 'c-state' },
  { title: 'Balance', sort: 'balance', align: 'end', className: 'c-balance' },
  { title: 'Equity', sort: 'equity', align: 'end', className: 'c-equity' },
  { title: 'Open profit', sort: 'profit', align: 'end', className: 'c-profit' },
  { title: 'Equity, 3 days', className: 'c-spark' },
  { title: 'Nearest limit', sort: 'usedLimit', className: 'c-limit' },
  { title: 'Updated (broker time)', sort: 'lastUpdate', align: 'end', className: 'c-updated' },
];

const ROW_HEIGHT = 62;
const NARROW_ROW_HEIGHT = 130;
const OVERSCAN = 8;

/** Only the rows in sight are in the page, so ten thousand scroll as one hundred. */
export function AccountsTable(props: {
  /** The account of a row; undefined while it is on its way. */
  accountAt: (row: number) => OverviewAccount | undefined;
  total: number;
  sort: Sort;
  order: Order;
  see: (sight: Sight) => void;
}) {
  const { accountAt, see } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const isNarrow = matchMedia('(max-width: 860px)').matches;
  const scale = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
  const rows = useVirtualizer({
    count: props.total,
    getScrollElement: () => scroller.current,
    estimateSize: () => (isNarrow ? NARROW_ROW_HEIGHT : ROW_HEIGHT) * scale,
    overscan: OVERSCAN,
  });
  const items = rows.getVirtualItems();
  const first = items[0]?.index ?? 0;
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => see({ first, last }), [first, last, see]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboards must reach what scrolls
    <section ref={scroller} className="accounts-scroll" aria-label="Accounts" tabIndex={0}>
      <div role="table" aria-label="Accounts" aria-rowcount={props.total + 1}>
        <div role="rowgroup" className="accounts-head">
          <div role="row" className="accounts-row" aria-rowindex={1}>
            {HEADERS.map((header) => (
              <HeadCell key={header.title} header={header} sort={props.sort} order={props.order} />
            ))}
          </div>
        </div>
        <div
          role="rowgroup"
          className="accounts-rows"
          style={{ height: rows.getTotalSize(), position: 'relative' }}
        >
          {items.map((item) => {
            const account = accountAt(item.index);
            return (
              <div
                key={item.key}
                role="row"
                aria-rowindex={item.index + 2}
                className="accounts-row"
                style={{ height: item.size, transform: `translateY(${item.start}px)` }}
              >
                {account ? <AccountCells account={account} /> : <WaitingCells />}
              </div>
            );
          })}
        </div>
      </div>
    </section>
  );
}

function HeadCell({ header, sort, order }: { header: Header; sort: Sort; order: Order }) {
  const isSorted = header.sort === sort;
  const next = isSorted && order === 'descending' ? 'ascending' : 'descending';
  return (
    <div
      role="columnheader"
      aria-sort={isSorted ? order : undefined}
      className={`${header.className} ${header.align ?? ''}`}
    >
      {header.sort ? (
        <button
          type="button"
          className="sort-button"
          onClick={() => replaceQuery({ sort: header.sort, order: next })}
        >
          {header.title}
          <span aria-hidden="true">{isSorted ? (order === 'ascending' ? ' ▲' : ' ▼') : ''}</span>
        </button>
      ) : (
        header.title
      )}
    </div>
  );
}

const STATES = {
  live: { title: 'Live', tone: 'good' },
  quiet: { title: 'Quiet', tone: 'plain' },
  waiting: { title: 'No snapshots', tone: 'plain' },
  undeployed: { title: 'Not deployed', tone: 'warn' },
} as const;

function AccountCells({ account }: { account: OverviewAccount }) {
  const { balance, equity, currency, worstTracker } = account;
  const state = STATES[account.state];
  return (
    <>
      <div role="cell" className="c-name">
        <a href={path.account(account.id)}>{account.name}</a>
        <span className="hint">
          {account.login} · {account.broker} · {account.platform}
        </span>
      </div>
      <div role="cell" className="c-state">
        <Badge tone={state.tone}>{state.title}</Badge>
      </div>
      <div role="cell" className="c-balance end">
        {balance === undefined ? <None /> : <Money value={balance} currency={currency} />}
      </div>
      <div role="cell" className="c-equity end">
        {equity === undefined ? <None /> : <Money value={equity} currency={currency} />}
      </div>
      <div role="cell" className="c-profit end">
        {equity === undefined || balance === undefined ? (
          <None />
        ) : (
          <Money value={equity - balance} currency={currency} signed bare />
        )}
      </div>
      <div role="cell" className="c-spark">
        <Sparkline values={account.recentEquity} label={`Equity of ${account.name}, three days`} />
      </div>
      <div role="cell" className="c-limit">
        {worstTracker ? (
          <>
            <span className="limit-name">
              <span>{worstTracker.name}</span>
              {worstTracker.exceeded ? <Badge tone="bad">Exceeded</Badge> : null}
            </span>
            <Bar
              used={worstTracker.exceeded ? Math.max(1.0001, worstTracker.used) : worstTracker.used}
              label={`${worstTracker.name}: used part of the limit`}
              text={`${Math.round(worstTracker.used * 100)} %`}
            />
          </>
        ) : (
          <span className="hint">{account.trackers > 0 ? 'Not measured yet' : 'No tracker'}</span>
        )}
      </div>
      <div role="cell" className="c-updated end number">
        {account.lastUpdate ? formatBrokerTime(account.lastUpdate, true) : <None />}
      </div>
    </>
  );
}

function WaitingCells() {
  return (
    <div role="cell" className="c-name">
      <span className="skeleton" />
    </div>
  );
}

const None = () => (
  <span className="muted" title="No snapshot came yet">
    –
  </span>
);
