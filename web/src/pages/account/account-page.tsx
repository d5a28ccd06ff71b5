import type { AccountRecord } from '../../../../src/contract/operations/accounts.ts';
import { leverageWords } from '../../accounts/account-form.ts';
import { titleOfPlatform } from '../../accounts/platforms.ts';
import { Badge } from '../../components/badge.tsx';
import { NotThere } from '../../components/not-there.tsx';
import { Page } from '../../components/page.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { Inbox } from '../../desk/inbox.tsx';
import { clockWords } from '../../lib/clock-words.ts';
import { type AccountTab, path } from '../../lib/path.ts';
import { useLocation } from '../../lib/route.ts';
import { type May, useMay } from '../../shell/use-may.ts';
import './account.css';
import { EnrolmentsTab } from './enrolments-tab.tsx';
import { ImportTab } from './import-tab.tsx';
import { OverviewTab } from './overview-tab.tsx';
import { SettingsTab } from './settings-tab.tsx';
import { StandingPanel } from './standing-panel.tsx';
import { TrackersTab } from './trackers-tab.tsx';
import { TradesTab } from './trades-tab.tsx';
import { useAccount, useTrackers } from './use-account.ts';

const TABS: { id: AccountTab; title: string; needs?: keyof May }[] = [
  { id: 'overview', title: 'Overview' },
  { id: 'trades', title: 'Trades' },
  { id: 'trackers', title: 'Trackers' },
  { id: 'enrolments', title: 'Enrolments' },
  { id: 'incidents', title: 'Incidents' },
  { id: 'import', title: 'Import', needs: 'ingest' },
  { id: 'settings', title: 'Settings', needs: 'write' },
];

export function AccountPage({ accountId = '' }: { accountId?: string }) {
  const account = useAccount(accountId);
  if (account.data) return <Account account={account.data} />;
  const action = <a href={path.accounts()}>To the accounts</a>;
  return (
    <Page title="Account">
      <NotThere what="account" read={account} action={action} />
    </Page>
  );
}

function Account({ account }: { account: AccountRecord }) {
  const may = useMay();
  const shown = TABS.filter(({ needs }) => needs === undefined || may[needs]);
  const asked = useLocation().query.get('tab');
  const tab = shown.find(({ id }) => id === asked)?.id ?? 'overview';
  const trackers = useTrackers(account.id).data?.length;
  const tabs = shown.map(({ id, title }) => ({
    id,
    title,
    href: path.account(account.id, id === 'overview' ? {} : { tab: id }),
    count: id === 'trackers' ? trackers : undefined,
  }));
  return (
    <Page
      title={account.name}
      lead={
        <span className="row">
          <Badge>{titleOfPlatform(account.platform)}</Badge>
          <span>
            {account.login} at {account.broker} · {account.currency} ·{' '}
            {leverageWords(account.leverage)}
          </span>
          {account.labels.map((label) => (
            <a key={label} className="badge badge-accent" href={path.accounts({ label })}>
              {label}
            </a>
          ))}
          <span title="Times on this page are the broker's wall clock">
            Broker clock: {clockWords(account.brokerClock)}
          </span>
        </span>
      }
      actions={<a href={path.compare([account.id])}>Compare with others</a>}
    >
      <StandingPanel account={account} />
      <Tabs label="Parts of the account" tabs={tabs} current={tab} />
      {tab === 'overview' ? <OverviewTab account={account} /> : null}
      {tab === 'trades' ? <TradesTab account={account} /> : null}
      {tab === 'trackers' ? <TrackersTab account={account} /> : null}
      {tab === 'enrolments' ? <EnrolmentsTab account={account} /> : null}
      {tab === 'incidents' ? <Inbox accountId={account.id} /> : null}
      {tab === 'import' ? <ImportTab account={account} /> : null}
      {tab === 'settings' ? <SettingsTab account={account} /> : null}
    </Page>
  );
}
