import { ActionSwitch } from '../../actions/action-switch.tsx';
import { useSwitch } from '../../actions/use-actions.ts';
import { Card } from '../../components/card.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { Loading } from '../../components/loading.tsx';

/** The switch for all users. */
export function ActionsPanel() {
  const { data, error, refetch } = useSwitch();
  return (
    <Card
      title="Actions at breaches"
      hint="Trackers can disable trading, close positions and move accounts. One switch stops them all."
    >
      {error ? <ErrorNote error={error} retry={refetch} /> : null}
      {data ? <ActionSwitch enabled={data.enabled} /> : null}
      {!data && !error ? <Loading label="Loading the switch" lines={2} /> : null}
    </Card>
  );
}
