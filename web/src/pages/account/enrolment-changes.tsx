import type { AccountRecord } from '../../../../src/contract/operations/accounts.ts';
import type { EnrolmentRecord } from '../../../../src/contract/operations/enrolments.ts';
import type { AskedState } from '../../../../src/words/programs.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { useChangeEnrolment } from '../../programs/use-enrolments.ts';

type Changed = { account: AccountRecord; enrolment: EnrolmentRecord };

/** Actions on an active enrolment; each asks first. */
export function EnrolmentChanges({ account, enrolment }: Changed) {
  const change = useChangeEnrolment(account.id);
  const what = `“${enrolment.phaseName}” of ${account.name}`;
  const params = { accountId: account.id, enrolmentId: enrolment.id };
  const to = (state: AskedState) => ({ params, body: { state } });
  if (enrolment.isDisputed) {
    return (
      <ConfirmButton
        work={change}
        kind="plain"
        label={`Reinstate ${what}`}
        question={`Reinstate ${what}?`}
        consequence="It continues as if it had not ended, judged by all facts known now: profits and losses since then count, and it may fail or pass again. What was done on the platform stays done. The audit records that you did it."
        confirm="Reinstate"
        subject={to('running')}
      >
        Reinstate
      </ConfirmButton>
    );
  }
  const isPaused = enrolment.state === 'paused';
  return (
    <>
      <ConfirmButton
        work={change}
        kind="plain"
        label={`${isPaused ? 'Resume' : 'Pause'} ${what}`}
        question={`${isPaused ? 'Resume' : 'Pause'} ${what}?`}
        consequence={
          isPaused
            ? 'It is judged again. Money won or lost in the pause stays in the balance.'
            : 'While it is paused nothing is judged and no day counts.'
        }
        confirm={isPaused ? 'Resume' : 'Pause'}
        subject={to(isPaused ? 'running' : 'paused')}
      >
        {isPaused ? 'Resume' : 'Pause'}
      </ConfirmButton>
      <ConfirmButton
        work={change}
        label={`Withdraw ${what}`}
        question={`Withdraw ${what}?`}
        consequence="It ends permanently, neither passed nor failed. Its history stays."
        confirm="Withdraw"
        subject={to('withdrawn')}
      >
        Withdraw
      </ConfirmButton>
    </>
  );
}
