import { Badge } from '../components/badge.tsx';
import { ConfirmButton } from '../components/confirm-button.tsx';
import { useMay } from '../shell/use-may.ts';
import './actions.css';
import { useSetSwitch } from './use-actions.ts';

/** The one switch for all users: users with the scope admin turn it, the others see its state. */
export function ActionSwitch({ enabled }: { enabled: boolean }) {
  const may = useMay();
  const change = useSetSwitch();
  return (
    <div className="action-switch">
      <p>
        <Badge tone={enabled ? 'good' : 'bad'}>{enabled ? 'On' : 'Stopped'}</Badge>{' '}
        {enabled
          ? 'Actions at breaches are carried out on the platforms.'
          : 'No action is carried out for anybody, in any process. Due actions wait.'}
      </p>
      {may.admin ? (
        <ConfirmButton
          kind={enabled ? 'danger' : 'plain'}
          question={enabled ? 'Stop all actions at breaches?' : 'Resume actions at breaches?'}
          consequence={
            enabled
              ? 'This applies to all users, in every process. Requests that a platform has already received are not undone; due actions wait until you switch them on again.'
              : 'Waiting actions are carried out now, for all users, including those of limits that were broken while actions were stopped.'
          }
          confirm={enabled ? 'Stop them' : 'Resume'}
          work={change}
          subject={{ body: { enabled: !enabled } }}
        >
          {enabled ? 'Stop all actions' : 'Resume actions'}
        </ConfirmButton>
      ) : (
        <span className="hint">Only an operator can change this.</span>
      )}
    </div>
  );
}
