import type { ReactNode } from 'react';
import type { AccountRecord } from '../../../../src/contract/operations/accounts.ts';
import type { ImportRecord } from '../../../../src/contract/operations/statements.ts';
import { FirstDeals } from '../../accounts/first-deals.tsx';
import { BrokerTime } from '../../components/broker-time.tsx';
import { Money } from '../../components/money.tsx';
import { countOf, formatNumber } from '../../lib/format.ts';
import { path } from '../../lib/path.ts';
import { Conflicts } from './conflicts.tsx';
import { Reconciliation } from './reconciliation.tsx';
import { kindWords } from './report-kinds.ts';

/** The totals of an imported file and all its warnings. */
export function ImportResult(props: { account: AccountRecord; result: ImportRecord }) {
  const { account, result } = props;
  const money = (value: number, signed = false): ReactNode => (
    <Money value={value} currency={result.currency} signed={signed} />
  );
  const rows: [string, ReactNode][] = [
    ['Recognised as', kindWords(result.kind)],
    ['Deals, new', `${formatNumber(result.deals, 0)}, ${formatNumber(result.added, 0)}`],
    ['Closed trades', formatNumber(result.trades, 0)],
    ['Open positions', formatNumber(result.openPositions, 0)],
    ['Balance operations', formatNumber(result.balanceOperations, 0)],
    ['Profit booked', money(result.netProfit, true)],
    ['Deposits', money(result.deposits)],
    ['Withdrawals', money(result.withdrawals)],
    ['Balance', money(result.balance)],
    ...(result.carriedIn === undefined
      ? []
      : [['Balance before the first deal', money(result.carriedIn)] as [string, ReactNode]]),
    ...(result.firstTime
      ? [['From', <BrokerTime key="from" value={result.firstTime} />] as [string, ReactNode]]
      : []),
    ...(result.lastTime
      ? [['To', <BrokerTime key="to" value={result.lastTime} />] as [string, ReactNode]]
      : []),
  ];
  const isDoubtful = result.deals === 0 || result.reconciliation.differences.length > 0;
  return (
    <div className="stack">
      <p className={`note ${isDoubtful ? 'note-warn' : 'note-good'}`} role="status">
        {outcomeOf(result)}
        {result.first ? null : <a href={path.account(account.id)}>See the statistics</a>}
      </p>
      <dl className="evidence-sum">
        {rows.map(([title, value]) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd className="number">{value}</dd>
          </div>
        ))}
      </dl>
      {result.first ? <FirstDeals {...result} /> : null}
      <Reconciliation {...result.reconciliation} />
      <Conflicts account={account} result={result} />
      {result.warnings.length > 0 ? (
        <div className="note note-warn">
          <div>
            <strong>{countOf(result.warnings.length, 'warning')}</strong>
            <ul>
              {result.warnings.map((warning) => (
                <li key={warning}>{warning}</li>
              ))}
            </ul>
          </div>
        </div>
      ) : (
        <p className="hint">No warnings: everything in the file was understood.</p>
      )}
    </div>
  );
}

function outcomeOf({ deals, added, first }: ImportRecord): string {
  if (first) return `Not imported yet: ${countOf(added, 'deal')} would be new.`;
  if (deals === 0) return 'Nothing imported: the report lists no deals.';
  if (added === 0) return 'Imported before: nothing in it is new.';
  return `Imported: ${countOf(added, 'deal')} ${added === 1 ? 'is' : 'are'} new.`;
}
