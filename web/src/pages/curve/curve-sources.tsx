import type { OverviewAccount } from '../../../../src/contract/operations/accounts-overview.ts';
import type { CombinedCurveRecord } from '../../../../src/contract/operations/equity-curve.ts';
import { Card } from '../../components/card.tsx';
import { Table } from '../../components/table.tsx';
import { formatAge, formatLocalTime, formatRate } from '../../lib/format.ts';
import { useNow } from '../../lib/now.ts';
import { path } from '../../lib/path.ts';

const REASONS: Record<CombinedCurveRecord['leftOut'][number]['reason'], string> = {
  noRate: 'no quote of the last seven days converts its currency',
  noReadings: 'no snapshots yet',
};

type Props = { curve: CombinedCurveRecord; accounts: readonly OverviewAccount[] };

/** Where the rates are from, and which accounts are not in the curve. */
export function CurveSources({ curve, accounts }: Props) {
  const nowMs = useNow();
  const { rates, leftOut, currency } = curve;
  const names = new Map(accounts.map(({ id, name }) => [id, name]));
  const linkTo = (id: string) => <a href={path.account(id)}>{names.get(id) ?? id}</a>;
  return (
    <>
      {rates.length > 0 ? (
        <Card
          title="Rates"
          hint="The middle of bid and ask of the newest quotes in the markets of your accounts; of two pairs, the older time."
        >
          <Table
            caption="Rates used"
            rows={rates}
            rowKey={({ currency: from }) => from}
            columns={[
              {
                title: 'Rate',
                cell: ({ currency: from, rate }) => (
                  <span className="number">
                    1 {from} = {formatRate(rate)} {currency}
                  </span>
                ),
              },
              {
                title: 'From',
                cell: ({ symbols, quotedBy }) =>
                  symbols.map((symbol, place) => (
                    <span key={`${symbol} ${quotedBy[place]}`}>
                      {place > 0 ? ' and ' : ''}
                      {symbol} of {linkTo(quotedBy[place] ?? '')}
                    </span>
                  )),
              },
              {
                ...{ title: 'Quoted', align: 'end' },
                cell: ({ quoteTime }) => (
                  <time className="number" dateTime={quoteTime} title={formatLocalTime(quoteTime)}>
                    {formatAge((nowMs - Date.parse(quoteTime)) / 1000)} ago
                  </time>
                ),
              },
            ]}
          />
        </Card>
      ) : null}
      {leftOut.length > 0 ? (
        <Card title="Left out" hint="These accounts are not in the curve.">
          <ul className="curve-left-out">
            {leftOut.map(({ accountId, reason }) => (
              <li key={accountId}>
                {linkTo(accountId)}: {REASONS[reason]}
              </li>
            ))}
          </ul>
        </Card>
      ) : null}
    </>
  );
}
