import { useQuery } from '@tanstack/react-query';
import type { OverviewAccount } from '../../../../src/contract/operations/accounts-overview.ts';
import type { readCombinedCurveOperation } from '../../../../src/contract/operations/equity-curve.ts';
import { GroupBar } from '../../accounts/group-bar.tsx';
import { readFitting, type Which } from '../../accounts/read-fitting.ts';
import { ChartLoading } from '../../charts/chart-loading.tsx';
import { Card } from '../../components/card.tsx';
import { ChoiceField } from '../../components/choice-field.tsx';
import { Empty } from '../../components/empty.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { Page } from '../../components/page.tsx';
import { countOf } from '../../lib/format.ts';
import { path } from '../../lib/path.ts';
import { replaceQuery, useLocation } from '../../lib/route.ts';
import { useRead } from '../../lib/use-operation.ts';
import { askedOf, whichOf } from '../accounts/asked.ts';
import { CurveCard } from './curve-card.tsx';
import { CurveSources } from './curve-sources.tsx';
import './curve.css';

/** As many as the operation takes. */
const MOST = 100;
const REFRESH_MS = 30_000;
/** Most pairs have one of these. */
const USUAL_CURRENCIES = ['USD', 'EUR'];

/** The accounts of the list in one curve: those of its group, search and filter. */
export function CurvePage() {
  const { query } = useLocation();
  const { search, label, filter } = askedOf(query);
  const fitting = useFitting({ search, label, filter });
  const accounts = fitting.data?.slice(0, MOST) ?? [];
  const currencies = currenciesOf(accounts);
  const currency = query.get('currency') ?? currencies[0] ?? '';
  const curve = useCurve(accounts, currency);
  const hasMore = (fitting.data?.length ?? 0) > MOST;
  const error = fitting.error ?? curve.error;
  const leftOut = curve.data?.leftOut.length ?? 0;
  const without = leftOut > 0 ? `${accounts.length - leftOut} of ` : '';
  return (
    <Page
      title="One curve"
      lead={
        fitting.data
          ? `Equity and balance of ${without}${countOf(accounts.length, 'account')} together`
          : ' '
      }
      actions={<a href={path.accounts(whichOf({ search, filter }))}>To these accounts</a>}
    >
      <GroupBar totals={undefined} />
      {hasMore ? <p className="hint">The first {MOST} accounts by name: choose a group.</p> : null}
      {error ? (
        <ErrorNote error={error} retry={() => void (fitting.error ? fitting : curve).refetch()} />
      ) : null}
      {accounts.length > 0 ? (
        <div className="curve-currency">
          <ChoiceField
            label="Currency of the curve"
            options={[...new Set([...currencies, ...USUAL_CURRENCIES, currency])].map((value) => ({
              ...{ value, title: value },
            }))}
            value={currency}
            choose={(chosen) => replaceQuery({ currency: chosen })}
          />
        </div>
      ) : null}
      {(fitting.isPending || (accounts.length > 0 && !curve.data)) && !error ? (
        <ChartLoading label="Loading the curve" />
      ) : null}
      {fitting.data && accounts.length === 0 ? (
        <Card>
          <Empty title="No accounts match">Nothing matches the search, filter and group.</Empty>
        </Card>
      ) : null}
      {curve.data ? (
        <>
          <CurveCard curve={curve.data} />
          <CurveSources curve={curve.data} accounts={accounts} />
        </>
      ) : null}
    </Page>
  );
}

/** One more than are shown, to know whether there are more. */
const useFitting = (which: Which) =>
  useQuery({
    queryKey: ['accounts', 'fitting', which],
    queryFn: () => readFitting(which, MOST + 1),
  });

function useCurve(accounts: readonly OverviewAccount[], currency: string) {
  const accountId = accounts.map(({ id }) => id);
  return useRead<typeof readCombinedCurveOperation>(
    ['accounts', 'curve', accountId, currency],
    'GET /users/current/equity-curve',
    { query: { accountId, currency } },
    { enabled: accounts.length > 0, refetchInterval: REFRESH_MS },
  );
}

/** Those of most accounts first. */
function currenciesOf(accounts: readonly OverviewAccount[]): string[] {
  const counts = Map.groupBy(accounts, ({ currency }) => currency);
  return [...counts].sort(([, a], [, b]) => b.length - a.length).map(([currency]) => currency);
}
