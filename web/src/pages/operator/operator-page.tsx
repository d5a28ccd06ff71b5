import { ActionSwitch } from '../../actions/action-switch.tsx';
import { useSwitch } from '../../actions/use-actions.ts';
import { Card } from '../../components/card.tsx';
import { Empty } from '../../components/empty.tsx';
import { Loading } from '../../components/loading.tsx';
import { Page } from '../../components/page.tsx';
import { Shown } from '../../components/shown.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { path } from '../../lib/path.ts';
import { useLocation } from '../../lib/route.ts';
import { useCurrentToken } from '../../shell/use-current-token.ts';
import { AuditPanel } from './audit-panel.tsx';
import { MailPanel } from './mail-panel.tsx';
import { RequestsPanel } from './requests-panel.tsx';
import { UserView } from './user-view.tsx';
import { UsersPanel } from './users-panel.tsx';
import './operator.css';

const TABS = [
  { id: 'requests', title: 'Quota requests', panel: RequestsPanel },
  { id: 'users', title: 'Users', panel: UsersPanel },
  { id: 'actions', title: 'Actions at breaches', panel: ActionsPanel },
  { id: 'mail', title: 'Mail', panel: MailPanel },
  { id: 'audit', title: 'Audit', panel: AuditPanel },
];

export function OperatorPage() {
  const { query } = useLocation();
  const token = useCurrentToken();
  if (!token?.scopes.includes('admin'))
    return (
      <Page title="Operator">
        <Card>
          {token ? (
            <Empty
              title="This page needs another token"
              action={<a href={path.accounts()}>To the accounts</a>}
            >
              Yours lacks the scope <code>admin</code>. Sign in with one that has it.
            </Empty>
          ) : (
            <Loading lines={5} />
          )}
        </Card>
      </Page>
    );
  const tab = TABS.find(({ id }) => id === query.get('tab')) ?? TABS[0];
  const userId = query.get('user');
  return (
    <Page title="Operator" lead="Users, what they ask for, and what was done.">
      <Tabs
        label="Parts of the operator's page"
        tabs={TABS.map(({ id, title }) => ({ id, title, href: path.operator({ tab: id }) }))}
        current={tab?.id ?? ''}
      />
      {tab?.id === 'users' && userId !== null ? (
        <UserView key={userId} userId={userId} />
      ) : tab ? (
        <tab.panel />
      ) : null}
    </Page>
  );
}

/** The switch for all users. */
function ActionsPanel() {
  const state = useSwitch();
  return (
    <Card
      title="Actions at breaches"
      hint="Trackers can disable trading, close positions and move accounts. One switch stops them all."
    >
      <Shown read={state} what="the switch" lines={2}>
        {({ enabled }) => <ActionSwitch enabled={enabled} />}
      </Shown>
    </Card>
  );
}
