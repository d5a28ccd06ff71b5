import type { AccountRecord } from '../../../../src/contract/operations/accounts.ts';
import type { EnrolmentRecord } from '../../../../src/contract/operations/enrolments.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { useChangeEnrolment } from '../../programs/use-enrolments.ts';

/** Pauses, resumes and ends an enrolment that goes on; each asks first. */
export function EnrolmentChanges(props: { account: AccountRecord; enrolment: EnrolmentRecord }) {
  const { account, enrolment } = props;
  const change = useChangeEnrolment(account.id, enrolment.id);
  const isPaused = enrolment.state === 'paused';
  const what = `“${enrolment.phaseName}” of ${account.name}`;
  return (
    <>
      <ConfirmButton
        kind="plain"
        label={`${isPaused ? 'Resume' : 'Pause'} ${what}`}
        question={`${isPaused ? 'Resume' : 'Pause'} ${what}?`}
        consequence={
          isPaused
            ? 'It is judged again. Money won or lost in the pause stays in the balance.'
            : 'While it is paused nothing is judged and no day counts.'
        }
        confirm={isPaused ? 'Resume' : 'Pause'}
        busy={change.isPending}
        error={change.error}
        action={() => change.mutateAsync(isPaused ? 'running' : 'paused')}
      >
        {isPaused ? 'Resume' : 'Pause'}
      </ConfirmButton>
      <ConfirmButton
        label={`Withdraw ${what}`}
        question={`Withdraw ${what}?`}
        consequence="It ends permanently, neither passed nor failed. Its history stays."
        confirm="Withdraw"
        busy={change.isPending}
        error={change.error}
        action={() => change.mutateAsync('withdrawn')}
      >
        Withdraw
      </ConfirmButton>
    </>
  );
}
