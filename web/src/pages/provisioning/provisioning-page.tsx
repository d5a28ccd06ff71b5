import { useState } from 'react';
import type { ProfileRecord } from '../../../../src/contract/operations/profiles.ts';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { Empty } from '../../components/empty.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { Loading } from '../../components/loading.tsx';
import { Page } from '../../components/page.tsx';
import { path } from '../../lib/path.ts';
import { navigate, useLocation } from '../../lib/route.ts';
import { useMay } from '../../shell/use-may.ts';
import { ConnectionBadge, ConnectionFacts } from './connection-state.tsx';
import { DeleteProfile } from './delete-profile.tsx';
import { NewProfileForm } from './new-profile-form.tsx';
import { ProfileView } from './profile-view.tsx';
import { titleOfKind } from './profile-words.ts';
import { useProfiles } from './use-profiles.ts';
import './provisioning.css';

/** The profiles, or the one named in the address. */
export function ProvisioningPage() {
  const profileId = useLocation().query.get('profile');
  const { data: profiles, error, refetch } = useProfiles();
  if (!profiles)
    return (
      <Page title="Provisioning">
        {error ? (
          <ErrorNote error={error} retry={refetch} />
        ) : (
          <Card>
            <Loading label="Loading profiles" lines={5} />
          </Card>
        )}
      </Page>
    );
  if (profileId === null) return <ProfileList profiles={profiles} error={error} />;
  const profile = profiles.find(({ id }) => id === profileId);
  if (profile) return <ProfileView key={profile.id} profile={profile} />;
  return (
    <Page title="Provisioning">
      <Card>
        <Empty
          title="There is no such profile"
          action={<a href={path.provisioning()}>To the profiles</a>}
        >
          It may have been deleted.
        </Empty>
      </Card>
    </Page>
  );
}

function ProfileList(props: {
  profiles: NonNullable<ReturnType<typeof useProfiles>['data']>;
  error: unknown;
}) {
  const { profiles } = props;
  const [isAdding, setAdding] = useState(false);
  const add = useMay().addAccounts ? (
    <Button onClick={() => setAdding(true)}>New profile</Button>
  ) : null;
  return (
    <Page
      title="Provisioning"
      lead="A profile connects Plimsoll to a broker's platform, to read its accounts and open new ones."
      actions={profiles.length > 0 && !isAdding ? add : null}
    >
      {props.error ? <ErrorNote error={props.error} /> : null}
      {isAdding ? (
        <Card title="New profile">
          <NewProfileForm
            done={(id) => navigate(path.provisioning({ profile: id }))}
            close={() => setAdding(false)}
          />
        </Card>
      ) : null}
      {profiles.length > 0 ? (
        <div className="grid provisioning-profiles">
          {profiles.map((profile) => (
            <ProfileCard key={profile.id} profile={profile} />
          ))}
        </div>
      ) : isAdding ? null : (
        <Card>
          <Empty title="No profile yet" action={add}>
            With a profile, Plimsoll reads accounts automatically, lists symbols and clients, and
            opens accounts. A simulated one needs no platform.
          </Empty>
        </Card>
      )}
    </Page>
  );
}

function ProfileCard({ profile }: { profile: ProfileRecord }) {
  const { id, name, platform, kind, connection } = profile;
  return (
    <Card
      title={<a href={path.provisioning({ profile: id })}>{name}</a>}
      hint={`${platform} · ${titleOfKind(kind)}`}
      actions={<ConnectionBadge state={connection.state} />}
    >
      <div className="stack">
        <ConnectionFacts profile={profile} />
        <div className="row">
          <a
            className="button button-small"
            href={path.provisioning({ profile: id })}
            aria-label={`Open ${name}`}
          >
            Open
          </a>
          <DeleteProfile profile={profile} />
        </div>
      </div>
    </Card>
  );
}
