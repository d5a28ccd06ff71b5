import { Badge } from '../components/badge.tsx';
import { ConfirmButton } from '../components/confirm-button.tsx';
import { useMay } from '../shell/use-may.ts';
import './actions.css';
import { useSetSwitch } from './use-actions.ts';

/** The one switch for all users: whoever holds the scope admin turns it, the others see how it stands. */
export function ActionSwitch({ enabled }: { enabled: boolean }) {
  const may = useMay();
  const change = useSetSwitch();
  return (
    <div className="action-switch">
      <p>
        <Badge tone={enabled ? 'good' : 'bad'}>{enabled ? 'On' : 'Stopped'}</Badge>{' '}
        {enabled
          ? 'What trackers ask for is done on the platforms.'
          : 'Nothing is done for anybody, in any process. What is to be done waits.'}
      </p>
      {may.admin ? (
        <ConfirmButton
          kind={enabled ? 'danger' : 'plain'}
          question={enabled ? 'Stop all actions at breaches?' : 'Let actions at breaches go on?'}
          consequence={
            enabled
              ? 'Of all users, in every process. What a platform was asked for already is not taken back; what is to be done waits until you switch them on again.'
              : 'What waits is done now, for all users: on accounts whose limit was broken while actions were stopped, too.'
          }
          confirm={enabled ? 'Stop them' : 'Go on'}
          busy={change.isPending}
          error={change.error}
          action={() => change.mutateAsync(!enabled)}
        >
          {enabled ? 'Stop all actions' : 'Let them go on'}
        </ConfirmButton>
      ) : (
        <span className="hint">An operator turns this switch.</span>
      )}
    </div>
  );
}
