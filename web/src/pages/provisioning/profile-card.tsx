import type { ProfileRecord } from '../../../../src/contract/operations/profiles.ts';
import { Card } from '../../components/card.tsx';
import { path } from '../../lib/path.ts';
import { ConnectionBadge, ConnectionFacts } from './connection-state.tsx';
import { DeleteProfile } from './delete-profile.tsx';
import { titleOfKind } from './profile-words.ts';

export function ProfileCard({ profile }: { profile: ProfileRecord }) {
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
