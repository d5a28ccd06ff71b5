import { useState } from 'react';
import { GroupBar } from '../../accounts/group-bar.tsx';
import { ALL_ACCOUNTS } from '../../accounts/read-fitting.ts';
import { type Filter, useOverview } from '../../accounts/use-overview.ts';
import { ActionStrip } from '../../actions/action-strip.tsx';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { Empty } from '../../components/empty.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { Loading } from '../../components/loading.tsx';
import { Page } from '../../components/page.tsx';
import type { Sight } from '../../components/virtual-table.tsx';
import { Inbox } from '../../desk/inbox.tsx';
import { COUNTERS, type Counter, useCounters } from '../../desk/use-counters.ts';
import { useGroup } from '../../lib/group.ts';
import { path } from '../../lib/path.ts';
import { replaceQuery, useLocation } from '../../lib/route.ts';
import { useMay } from '../../shell/use-may.ts';
import '../../styles/virtual-table.css';
import { AlarmSwitches } from './alarm-switches.tsx';
import { CounterTiles } from './counter-tiles.tsx';
import './risk.css';
import { RoomTable } from './room-table.tsx';

const TOP: Sight = { first: 0, last: 0 };

export function RiskPage() {
  const may = useMay();
  const group = useGroup();
  return (
    <Page
      title="Risk desk"
      lead="Accounts by the room that their limits leave, and exceeded limits"
      actions={
        <>
          {may.wholeUser ? <a href={path.actions()}>Actions at breaches</a> : null}
          <AlarmSwitches />
        </>
      }
    >
      <GroupBar totals={group ? { ...ALL_ACCOUNTS, label: group } : undefined} />
      <ActionStrip />
      <CounterTiles />
      <ClockSuspect />
      <div className="desk">
        <Rooms />
        <Inbox />
      </div>
    </Page>
  );
}

/** Which clock to check. */
function ClockSuspect() {
  const { data } = useCounters();
  if (data?.clockSuspect !== 'server') return null;
  return (
    <p className="note note-bad" role="alert">
      Most accounts that are fed are off by the same: look at the clock of the server first, then at
      theirs.
    </p>
  );
}

function Rooms() {
  const shown = useLocation().query.get('show');
  const filter: Filter = COUNTERS.find((counter) => counter === shown) ?? 'all';
  const [sight, setSight] = useState<Sight>(TOP);
  const label = useGroup();
  const asked = { search: '', label, filter, sort: 'savable', order: 'descending' } as const;
  const overview = useOverview(asked, sight);
  const { totals } = overview;
  return (
    <Card flush className="desk-rooms" title={TITLES[filter as Counter] ?? 'Accounts by room left'}>
      {overview.error ? <ErrorNote error={overview.error} retry={overview.retry} /> : null}
      {!totals && !overview.error ? (
        <div className="card-inset">
          <Loading label="Loading accounts" lines={8} />
        </div>
      ) : null}
      {totals && totals.total > 0 ? (
        <RoomTable
          key={`${filter} ${label}`}
          overview={overview}
          question={JSON.stringify(asked)}
          total={totals.total}
          see={setSight}
        />
      ) : null}
      {totals?.all === 0 ? (
        <Empty title="No accounts yet" action={<a href={path.accounts()}>To the accounts</a>}>
          The desk shows all your accounts that receive snapshots.
        </Empty>
      ) : null}
      {totals && totals.all > 0 && totals.total === 0 ? (
        <Empty
          title={NONE[filter as Counter] ?? 'No account'}
          action={
            <Button onClick={() => replaceQuery({ show: undefined, label: undefined })}>
              Show all
            </Button>
          }
        />
      ) : null}
    </Card>
  );
}

const TITLES: Record<Counter, string> = {
  exceeded: 'Accounts that broke a limit',
  near: 'Accounts near a limit',
  stale: 'Accounts without new snapshots',
  unwatched: 'Accounts without a loss limit',
  clockOff: 'Accounts whose clock and the server’s do not agree',
};

const NONE: Record<Counter, string> = {
  exceeded: 'No account broke a limit in its running period',
  near: 'No account is near a limit',
  stale: 'Snapshots come in for every account',
  unwatched: 'Every account in use has a loss limit',
  clockOff: 'The clocks of all accounts agree with the server’s',
};
