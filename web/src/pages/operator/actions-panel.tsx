import { ActionSwitch } from '../../actions/action-switch.tsx';
import { useSwitch } from '../../actions/use-actions.ts';
import { Card } from '../../components/card.tsx';
import { Shown } from '../../components/shown.tsx';

/** The switch for all users. */
export function ActionsPanel() {
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
