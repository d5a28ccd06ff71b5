import { lazy, Suspense, useMemo, useRef, useState } from 'react';
import { GroupBar } from '../../accounts/group-bar.tsx';
import { ALL_ACCOUNTS } from '../../accounts/read-fitting.ts';
import { useAccountSearch } from '../../accounts/use-account-search.ts';
import { type Comparison, compareAccounts } from '../../charts/compare-series.ts';
import type { ChartHandle } from '../../charts/picture.ts';
import { showAll, showStretch, stretchOf } from '../../charts/seen-stretch.ts';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { Combobox } from '../../components/combobox.tsx';
import { CopyLink } from '../../components/copy-link.tsx';
import { Empty } from '../../components/empty.tsx';
import { ErrorBoundary } from '../../components/error-boundary.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { Field } from '../../components/field.tsx';
import { Loading } from '../../components/loading.tsx';
import { Page } from '../../components/page.tsx';
import { Segmented } from '../../components/segmented.tsx';
import { downloadBlob } from '../../lib/download.ts';
import { formatNumber, toBrokerTime } from '../../lib/format.ts';
import { chooseGroup, useGroup } from '../../lib/group.ts';
import { replaceQuery, useLocation } from '../../lib/route.ts';
import './compare.css';
import { ComparedTable } from './compared-table.tsx';
import { useCompared } from './use-compared.ts';
import { useGroupTop } from './use-group-top.ts';

/** More lines can't be told from each other. */
const MOST = 6;
const CHART_HEIGHT = 'max(26rem, 46dvh)';
const RANGES = [
  { value: 'month', title: '30 days' },
  { value: 'all', title: 'All' },
] as const;

const HINT =
  'Broker time, each account by its own clock. All start at 0 in the first hour in which each of them has figures. Drag across a range to zoom in, double-click to zoom out; on the keyboard, Shift and the arrows select a range, Enter zooms in.';
const STRETCH_HINT =
  'A range, broker time, each account by its own clock. All start at 0 in its first hour in which each of them has figures; so does the table.';

const CompareChart = lazy(async () => ({
  default: (await import('../../charts/compare-chart.tsx')).CompareChart,
}));

export function ComparePage() {
  const { query } = useLocation();
  const group = useGroup();
  const named = (query.get('accounts') ?? '').split(',').filter(Boolean);
  const isGroup = named.length === 0 && group !== '';
  const top = useGroupTop(group, MOST, isGroup);
  const ids = isGroup ? (top.data?.ids ?? []) : [...new Set(named)].slice(0, MOST);
  const show = (next: readonly string[]): void =>
    replaceQuery({ accounts: next.join(',') || undefined });
  return (
    <Page
      title="Compare accounts"
      lead={`Growth of one unit of money, without deposits and withdrawals: up to ${MOST} of them`}
    >
      <GroupBar
        totals={group ? { ...ALL_ACCOUNTS, label: group } : undefined}
        choose={(label) => chooseGroup(label, { accounts: undefined })}
      />
      {top.error ? <ErrorNote error={top.error} retry={top.refetch} /> : null}
      <div className="row">
        {ids.length < MOST ? (
          <AddAccount ids={ids} group={group} add={(id) => show([...ids, id])} />
        ) : null}
        {ids.length >= MOST && !isGroup ? (
          <p className="hint">More than {MOST} lines can’t be told from each other.</p>
        ) : null}
        {isGroup && top.data ? <GroupHint group={group} total={top.data.total} /> : null}
        {!isGroup && group ? <Button onClick={() => show([])}>Show those of {group}</Button> : null}
      </div>
      {isGroup && top.isPending ? (
        <Loading label="Loading the group" height={CHART_HEIGHT} />
      ) : null}
      {ids.length > 0 ? (
        <Compared ids={ids} remove={(id) => show(ids.filter((each) => each !== id))} />
      ) : isGroup && !top.data ? null : (
        <Card>
          <Empty title={isGroup ? `No account is in “${group}”` : 'Choose the accounts to compare'}>
            Their currencies may differ: gains are in percent of each account’s own money.
          </Empty>
        </Card>
      )}
    </Page>
  );
}

/** What of a group is not on the chart. */
function GroupHint({ group, total }: { group: string; total: number }) {
  if (total <= MOST) return null;
  return (
    <p className="hint">
      {MOST} of the {formatNumber(total, 0)} accounts of {group}: those nearest to a limit when this
      was opened.
    </p>
  );
}

function AddAccount(props: { ids: readonly string[]; group: string; add: (id: string) => void }) {
  const { ids, group, add } = props;
  const [text, setText] = useState('');
  const { choices, isBehind } = useAccountSearch(text, group);
  return (
    <Field label={group ? `Add an account of ${group}` : 'Add an account'} className="compare-add">
      {(control) => (
        <Combobox
          control={control}
          text={text}
          change={setText}
          choices={choices.filter(({ id }) => !ids.includes(id))}
          isBehind={isBehind}
          choose={({ id }) => {
            setText('');
            add(id);
          }}
          left={() => setText('')}
        />
      )}
    </Field>
  );
}

function Compared({ ids, remove }: { ids: readonly string[]; remove: (id: string) => void }) {
  const { query } = useLocation();
  const range = RANGES.find(({ value }) => value === query.get('range'))?.value ?? 'month';
  const read = useCompared(ids, range === 'all');
  const [row, setRow] = useState<number>();
  const chart = useRef<ChartHandle>(null);
  const key = ids.join(',');
  const stretch = stretchOf(query);
  const stretchKey = stretch?.join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: anew when an answer is new
  const comparison = useMemo(
    () =>
      compareAccounts(
        read.drawdowns.map((drawdown) => drawdown?.points ?? []),
        stretch,
      ),
    [key, range, stretchKey, read.updatedAt, read.isPending],
  );
  const names = read.accounts.map((account, index) => account?.name ?? ids[index] ?? '');
  const hasHours = comparison.times.length > 0;
  const place = row ?? comparison.times.length - 1;
  return (
    <Card
      title="Gain"
      hint={stretch ? STRETCH_HINT : HINT}
      actions={
        <>
          <Segmented
            legend="Range of the chart"
            options={RANGES}
            value={range}
            choose={(next) =>
              replaceQuery({
                range: next === 'month' ? undefined : next,
                ...{ from: undefined, to: undefined },
              })
            }
          />
          {stretch ? (
            <Button size="small" onClick={showAll}>
              Zoom out
            </Button>
          ) : null}
          <CopyLink />
          {hasHours ? (
            <Button size="small" onClick={() => void savePicture(chart.current, comparison)}>
              Save picture
            </Button>
          ) : null}
        </>
      }
    >
      {read.error ? <ErrorNote error={read.error} retry={read.retry} /> : null}
      {read.isPending && !read.error ? (
        <Loading label="Loading the chart" height={CHART_HEIGHT} />
      ) : (
        <>
          {hasHours ? (
            <ErrorBoundary isPart>
              <Suspense fallback={<Loading label="Loading the chart" height={CHART_HEIGHT} />}>
                <CompareChart
                  ref={chart}
                  comparison={comparison}
                  names={names}
                  hover={setRow}
                  chosen={showStretch}
                  all={showAll}
                />
              </Suspense>
            </ErrorBoundary>
          ) : (
            <Empty title="No hours with figures in this range">
              Equity comes with snapshots: accounts that only statements fill have none.
            </Empty>
          )}
          <ComparedTable
            accounts={read.accounts.map((account, index) => ({
              id: ids[index] ?? '',
              account,
              compared: comparison.accounts[index],
              here: comparison.accounts[index]?.gains[place] ?? undefined,
            }))}
            timeSeconds={comparison.times[place]}
            isLatest={row === undefined}
            remove={remove}
          />
        </>
      )}
    </Card>
  );
}

async function savePicture(chart: ChartHandle | null, { times }: Comparison): Promise<void> {
  const until = toBrokerTime((times.at(-1) ?? 0) * 1000).slice(0, 16);
  const picture = await chart?.picture(`Gain of accounts, up to ${until} broker time`);
  if (picture) downloadBlob('comparison.png', picture);
}
