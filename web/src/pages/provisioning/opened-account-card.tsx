import { useEffect, useRef } from 'react';
import type { ProfileRecord } from '../../../../src/contract/operations/profiles.ts';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { Secret } from '../../components/secret.tsx';
import { path } from '../../lib/path.ts';
import type { OpenedAccount } from './use-platform.ts';

/** The only time that the passwords are shown. */
export function OpenedAccountCard(props: {
  profile: ProfileRecord;
  opened: OpenedAccount;
  again: () => void;
}) {
  const { opened, profile } = props;
  const note = useRef<HTMLParagraphElement>(null);
  // The form that had the focus is gone.
  useEffect(() => note.current?.focus(), []);
  const record = `${path.provisioning({ profile: profile.id, tab: 'login' })}&login=${opened.login}`;
  return (
    <Card title={`Account ${opened.login} is open`}>
      <div className="stack">
        <p ref={note} tabIndex={-1} className="note note-warn" role="status">
          Copy the passwords now. They are shown once and stored nowhere: when you leave this page,
          they are gone.
        </p>
        <div>
          <Secret label="Login" value={opened.login} />
          <Secret label="Password" value={opened.password} />
          <Secret label="Investor password" value={opened.investorPassword} />
        </div>
        <p className="hint">
          The password can trade; the investor password can only view. Send them by separate
          channels.
        </p>
        <div className="row">
          <a className="button" href={record}>
            See and watch the account
          </a>
          <Button kind="quiet" onClick={props.again}>
            Open another
          </Button>
        </div>
      </div>
    </Card>
  );
}
