import { useState } from 'react';
import type { AccountRecord } from '../../../../src/contract/operations/accounts.ts';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { Empty } from '../../components/empty.tsx';
import { Shown } from '../../components/shown.tsx';
import { useLocation } from '../../lib/route.ts';
import { useMay } from '../../shell/use-may.ts';
import { NewTrackerDialog } from './new-tracker-dialog.tsx';
import { TrackerCard } from './tracker-card.tsx';
import { useTrackers } from './use-account.ts';

export function TrackersTab({ account }: { account: AccountRecord }) {
  const trackers = useTrackers(account.id);
  const [isCreating, setCreating] = useState(false);
  const linked = useLocation().query.get('tracker');
  const may = useMay();
  const create = may.write ? (
    <Button kind="primary" onClick={() => setCreating(true)}>
      New tracker
    </Button>
  ) : null;
  return (
    <>
      <div className="row trackers-head">
        <p className="muted">
          A tracker watches profit and drawdown over a period and reports when a threshold is
          exceeded.
        </p>
        {create}
      </div>
      <Shown
        read={trackers}
        what="trackers"
        lines={6}
        empty={
          <Card>
            <Empty title="No trackers yet" action={create}>
              For example: report when the account loses more than 5 % in a calendar day.
            </Empty>
          </Card>
        }
      >
        {(all) =>
          all.map((tracker) => (
            <TrackerCard
              key={tracker._id}
              account={account}
              tracker={tracker}
              isLinked={tracker._id === linked}
            />
          ))
        }
      </Shown>
      {isCreating ? <NewTrackerDialog account={account} close={() => setCreating(false)} /> : null}
    </>
  );
}
