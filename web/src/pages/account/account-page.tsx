import type { AccountRecord } from '../../../../src/contract/operations/accounts.ts';
import { Badge } from '../../components/badge.tsx';
import { Empty } from '../../components/empty.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { Loading } from '../../components/loading.tsx';
import { Page } from '../../components/page.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { ApiError } from '../../lib/api.ts';
import { type AccountTab, path } from '../../lib/path.ts';
import { useLocation } from '../../lib/route.ts';
import './account.css';
import { EventsTab } from './events-tab.tsx';
import { ImportTab } from './import-tab.tsx';
import { OverviewTab } from './overview-tab.tsx';
import { TrackersTab } from './trackers-tab.tsx';
import { TradesTab } from './trades-tab.tsx';
import { useAccount, useAccountEvents, useTrackers } from './use-account.ts';

const TABS: { id: AccountTab; title: string }[] = [
  { id: 'overview', title: 'Overview' },
  { id: 'trades', title: 'Trades' },
  { id: 'trackers', title: 'Trackers' },
  { id: 'events', title: 'Events' },
  { id: 'import', title: 'Import' },
];

export function AccountPage({ accountId = '' }: { accountId?: string }) {
  const account = useAccount(accountId);
  if (account.data) return <Account account={account.data} />;
  const isUnknown = account.error instanceof ApiError && account.error.status === 404;
  return (
    <Page title="Account">
      {isUnknown ? (
        <Empty
          title="There is no such account"
          action={<a href={path.accounts()}>To the accounts</a>}
        >
          It was deleted, or it belongs to another user.
        </Empty>
      ) : account.error ? (
        <ErrorNote error={account.error} retry={account.refetch} />
      ) : (
        <Loading label="Loading the account" lines={6} />
      )}
    </Page>
  );
}

function Account({ account }: { account: AccountRecord }) {
  const asked = useLocation().query.get('tab');
  const tab = TABS.find(({ id }) => id === asked)?.id ?? 'overview';
  const counts = {
    trackers: useTrackers(account.id).data?.length,
    events: useAccountEvents(account.id).data?.length,
  };
  const tabs = TABS.map(({ id, title }) => ({
    id,
    title,
    href: path.account(account.id, id === 'overview' ? {} : { tab: id }),
    count: id === 'trackers' || id === 'events' ? counts[id] : undefined,
  }));
  const { brokerClock } = account;
  const shift = brokerClock.shiftHours ?? 0;
  const clock =
    shift === 0 ? brokerClock.zone : `${brokerClock.zone} ${shift > 0 ? '+' : ''}${shift} h`;
  return (
    <Page
      title={account.name}
      lead={
        <span className="row">
          <Badge>{account.platform}</Badge>
          <span>
            {account.login} at {account.broker} · {account.currency} · 1:{account.leverage}
          </span>
          <span title="Times on this page are the broker's wall clock">Broker clock: {clock}</span>
        </span>
      }
    >
      <Tabs label="Parts of the account" tabs={tabs} current={tab} />
      {tab === 'overview' ? <OverviewTab account={account} /> : null}
      {tab === 'trades' ? <TradesTab account={account} /> : null}
      {tab === 'trackers' ? <TrackersTab account={account} /> : null}
      {tab === 'events' ? <EventsTab account={account} /> : null}
      {tab === 'import' ? <ImportTab account={account} /> : null}
    </Page>
  );
}
