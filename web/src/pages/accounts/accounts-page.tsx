import { type ReactNode, useEffect, useState } from 'react';
import { AddAccountDialog } from '../../accounts/add-account-dialog.tsx';
import { GroupBar } from '../../accounts/group-bar.tsx';
import { StartDialog } from '../../accounts/start-dialog.tsx';
import { type Asked, type Filter, useOverview } from '../../accounts/use-overview.ts';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { Empty } from '../../components/empty.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { Loading } from '../../components/loading.tsx';
import { Page } from '../../components/page.tsx';
import { Segmented } from '../../components/segmented.tsx';
import type { Sight } from '../../components/virtual-table.tsx';
import { useGroupCounters } from '../../desk/use-counters.ts';
import { formatNumber } from '../../lib/format.ts';
import { path } from '../../lib/path.ts';
import { replaceQuery, useLocation } from '../../lib/route.ts';
import { useMay } from '../../shell/use-may.ts';
import '../../styles/virtual-table.css';
import { TourInvitation } from '../../tour/tour-invitation.tsx';
import './accounts.css';
import { AccountsTable } from './accounts-table.tsx';
import { askedOf, whichOf } from './asked.ts';
import { LabelDialog } from './label-dialog.tsx';
import { Views } from './views.tsx';

const TYPING_MS = 250;
const TOP: Sight = { first: 0, last: 0 };

export function AccountsPage() {
  const asked = askedOf(useLocation().query);
  const may = useMay();
  const [sight, setSight] = useState<Sight>(TOP);
  const overview = useOverview(asked, sight);
  const { totals } = overview;
  const counters = useGroupCounters(asked.label);
  const [isAdding, setAdding] = useState(false);
  const [isStarting, setStarting] = useState(false);
  const [isLabelling, setLabelling] = useState(false);
  const add = may.addAccounts ? (
    <>
      <Button onClick={() => setStarting(true)}>Start from a statement</Button>
      <Button kind="primary" onClick={() => setAdding(true)}>
        Add account
      </Button>
    </>
  ) : null;
  return (
    <Page
      title="Accounts"
      lead={totals ? `${formatNumber(totals.all, 0)} in all` : ' '}
      actions={
        <>
          {totals && totals.all > 1 ? (
            <>
              <a href={path.curve(whichOf(asked))}>One curve</a>
              <a href={path.compare()}>Compare accounts</a>
            </>
          ) : null}
          {may.write && totals && totals.all > 0 ? (
            <Button onClick={() => setLabelling(true)}>Label accounts</Button>
          ) : null}
          {add}
        </>
      }
    >
      {totals && totals.all > 0 ? <TourInvitation /> : null}
      <GroupBar totals={asked} />
      <div className="accounts-tools">
        <SearchField search={asked.search} />
        <Filters filter={asked.filter} counts={counters} />
      </div>
      <Views asked={asked} />
      {overview.error ? <ErrorNote error={overview.error} retry={overview.retry} /> : null}
      <Found asked={asked} overview={overview} see={setSight} add={add} />
      {isLabelling ? <LabelDialog start={asked} close={() => setLabelling(false)} /> : null}
      {isStarting ? <StartDialog close={() => setStarting(false)} /> : null}
      {isAdding ? <AddAccountDialog close={() => setAdding(false)} /> : null}
    </Page>
  );
}

/** The requested accounts, or why there are none. */
function Found(props: {
  asked: Asked;
  overview: ReturnType<typeof useOverview>;
  see: (sight: Sight) => void;
  /** Adds one, for users with the right. */
  add: ReactNode;
}) {
  const { asked, overview } = props;
  const { totals } = overview;
  return (
    <Card flush className="accounts-card">
      {!totals && !overview.error ? (
        <div className="accounts-loading">
          <Loading label="Loading accounts" lines={8} />
        </div>
      ) : null}
      {totals && totals.total > 0 ? (
        <AccountsTable
          // Another query begins at the top again.
          key={JSON.stringify(asked)}
          overview={overview}
          asked={asked}
          total={totals.total}
          see={props.see}
        />
      ) : null}
      {totals?.all === 0 ? (
        <Empty title="No accounts yet" action={props.add}>
          Start from a statement, or add one and import its statement, send its deals and snapshots,
          or bind it to a provisioning profile. An account that you open on a platform appears here
          once you add it.
        </Empty>
      ) : null}
      {totals && totals.all > 0 && totals.total === 0 ? (
        <Empty
          title="No accounts match"
          action={
            <Button
              onClick={() =>
                replaceQuery({ search: undefined, filter: undefined, label: undefined })
              }
            >
              Show all
            </Button>
          }
        >
          Nothing matches the search, filter and group.
        </Empty>
      ) : null}
    </Card>
  );
}

function SearchField({ search }: { search: string }) {
  const [text, setText] = useState(search);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what is typed here
  useEffect(() => {
    if (text.trim() === search) return;
    const timer = setTimeout(() => replaceQuery({ search: text.trim() || undefined }), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what others changed
  useEffect(() => {
    if (search !== text.trim()) setText(search);
  }, [search]);
  return (
    <input
      type="search"
      className="accounts-search"
      aria-label="Search accounts"
      placeholder="Name, login, broker, currency or id"
      value={text}
      onChange={(event) => setText(event.target.value)}
    />
  );
}

const FILTERS: { value: Filter; title: string }[] = [
  { value: 'all', title: 'All' },
  { value: 'exceeded', title: 'Limit exceeded' },
  { value: 'near', title: 'Near a limit' },
  { value: 'stale', title: 'Stale' },
  { value: 'unwatched', title: 'Unwatched' },
  { value: 'clockOff', title: 'Clock off' },
  { value: 'live', title: 'Live' },
];
type Counts = Partial<Record<Filter, number>>;

function Filters({ filter, counts = {} }: { filter: Filter; counts: Counts | undefined }) {
  const options = FILTERS.map(({ value, title }) => ({
    value,
    title: (
      <>
        {title}
        {counts[value] === undefined ? null : <b className="count">{counts[value]}</b>}
      </>
    ),
  }));
  return (
    <Segmented
      legend="Which accounts"
      options={options}
      value={filter}
      choose={(value) => replaceQuery({ filter: value === 'all' ? undefined : value })}
      isLarge
    />
  );
}
