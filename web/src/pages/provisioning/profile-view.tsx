import type { ProfileRecord } from '../../../../src/contract/operations/profiles.ts';
import { PLATFORMS } from '../../../../src/words/accounts.ts';
import { Card } from '../../components/card.tsx';
import { Page } from '../../components/page.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { path } from '../../lib/path.ts';
import { useLocation } from '../../lib/route.ts';
import { useMay } from '../../shell/use-may.ts';
import { AllowedActions } from './allowed-actions.tsx';
import { ConnectionBadge, ConnectionFacts } from './connection-state.tsx';
import { DeleteProfile } from './delete-profile.tsx';
import { GroupPanel } from './group-panel.tsx';
import { LoginPanel } from './login-panel.tsx';
import { OpenAccountPanel } from './open-account-panel.tsx';
import { titleOfKind } from './profile-words.ts';
import { SymbolsPanel } from './symbols-panel.tsx';

const OPEN = 'open';
/** Only p4 platforms list their symbols by group. */
const TABS = [
  { id: 'symbols', title: 'Symbols', platforms: ['p4'], panel: SymbolsPanel },
  { id: 'group', title: 'Accounts of a group', platforms: PLATFORMS, panel: GroupPanel },
  { id: 'login', title: 'One login', platforms: PLATFORMS, panel: LoginPanel },
  { id: OPEN, title: 'Open an account', platforms: PLATFORMS, panel: OpenAccountPanel },
];

export function ProfileView({ profile }: { profile: ProfileRecord }) {
  const { id, name, platform, kind, connection } = profile;
  const wanted = useLocation().query.get('tab');
  const { addAccounts } = useMay();
  const tabs = TABS.filter(
    (tab) => tab.platforms.includes(platform) && (addAccounts || tab.id !== OPEN),
  );
  const current = tabs.find((tab) => tab.id === wanted) ?? tabs[0];
  return (
    <Page
      title={name}
      lead={
        <>
          <a href={path.provisioning()}>All profiles</a> · {platform} · {titleOfKind(kind)}
        </>
      }
      actions={<DeleteProfile profile={profile} />}
    >
      <Card title="Connection" actions={<ConnectionBadge state={connection.state} />}>
        <ConnectionFacts profile={profile} />
      </Card>
      <AllowedActions profile={profile} />
      <Tabs
        label={`Parts of ${name}`}
        tabs={tabs.map((tab) => ({
          id: tab.id,
          title: tab.title,
          href: path.provisioning({ profile: id, tab: tab.id }),
        }))}
        current={current?.id ?? ''}
      />
      {current ? <current.panel profile={profile} /> : null}
    </Page>
  );
}
