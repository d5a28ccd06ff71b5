import type { AccountRecord } from '../../../../src/contract/operations/accounts.ts';
import type { EnrolmentRecord } from '../../../../src/contract/operations/enrolments.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { useChangeEnrolment } from '../../programs/use-enrolments.ts';

type Changed = { account: AccountRecord; enrolment: EnrolmentRecord };

/** What can be done with an enrolment that is judged; each asks first. */
export function EnrolmentChanges({ account, enrolment }: Changed) {
  const change = useChangeEnrolment(account.id, enrolment.id);
  const what = `“${enrolment.phaseName}” of ${account.name}`;
  const asked = { busy: change.isPending, error: change.error };
  if (enrolment.isDisputed) {
    return (
      <ConfirmButton
        {...asked}
        kind="plain"
        label={`Reinstate ${what}`}
        question={`Reinstate ${what}?`}
        consequence="It goes on as if it had not ended, judged by all that is known now: what was won or lost since counts, and it may fail or pass again. What was done on the platform stays done. The audit records that you did it."
        confirm="Reinstate"
        action={() => change.mutateAsync('running')}
      >
        Reinstate
      </ConfirmButton>
    );
  }
  const isPaused = enrolment.state === 'paused';
  return (
    <>
      <ConfirmButton
        {...asked}
        kind="plain"
        label={`${isPaused ? 'Resume' : 'Pause'} ${what}`}
        question={`${isPaused ? 'Resume' : 'Pause'} ${what}?`}
        consequence={
          isPaused
            ? 'It is judged again. Money won or lost in the pause stays in the balance.'
            : 'While it is paused nothing is judged and no day counts.'
        }
        confirm={isPaused ? 'Resume' : 'Pause'}
        action={() => change.mutateAsync(isPaused ? 'running' : 'paused')}
      >
        {isPaused ? 'Resume' : 'Pause'}
      </ConfirmButton>
      <ConfirmButton
        {...asked}
        label={`Withdraw ${what}`}
        question={`Withdraw ${what}?`}
        consequence="It ends permanently, neither passed nor failed. Its history stays."
        confirm="Withdraw"
        action={() => change.mutateAsync('withdrawn')}
      >
        Withdraw
      </ConfirmButton>
    </>
  );
}
