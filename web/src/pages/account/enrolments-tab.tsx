import { useState } from 'react';
import type { AccountRecord } from '../../../../src/contract/operations/accounts.ts';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { Empty } from '../../components/empty.tsx';
import { FormLoading } from '../../components/form-loading.tsx';
import { Shown } from '../../components/shown.tsx';
import { lazily } from '../../lib/lazily.tsx';
import { useLocation } from '../../lib/route.ts';
import { goesOn, useEnrolments } from '../../programs/use-enrolments.ts';
import { usePrograms } from '../../programs/use-programs.ts';
import { useMay } from '../../shell/use-may.ts';
import { EnrolmentCard } from './enrolment-card.tsx';

const EnrolDialog = lazily(
  async () => (await import('./enrol-dialog.tsx')).EnrolDialog,
  FormLoading,
);

/** Phases of programs that the account is or was in: active ones first, then the newest. */
export function EnrolmentsTab({ account }: { account: AccountRecord }) {
  const enrolments = useEnrolments(account.id);
  const programs = usePrograms();
  const [isEnrolling, setEnrolling] = useState(false);
  const linked = useLocation().query.get('enrolment');
  const may = useMay();
  const enrol = (
    <Button kind={may.write ? 'primary' : 'plain'} onClick={() => setEnrolling(true)}>
      {may.write ? 'Enrol or try a program' : 'Try a program'}
    </Button>
  );
  const newest = [...(enrolments.data ?? [])].reverse();
  const shown = [...newest.filter(goesOn), ...newest.filter((each) => !goesOn(each))];
  return (
    <>
      <div className="row trackers-head">
        <p className="muted">
          An enrolment judges the account by the rules of one phase of a program: it passes or
          fails.
        </p>
        {enrol}
      </div>
      <Shown
        read={enrolments}
        what="enrolments"
        lines={6}
        empty={
          <Card>
            <Empty title="Not enrolled in a program">
              Try a rule book on the account's history, then enrol the account.
            </Empty>
          </Card>
        }
      >
        {() =>
          shown.map((enrolment) => (
            <EnrolmentCard
              key={enrolment.id}
              account={account}
              enrolment={enrolment}
              programName={programs.data?.find(({ id }) => id === enrolment.programId)?.name}
              isLinked={enrolment.id === linked}
            />
          ))
        }
      </Shown>
      {isEnrolling ? <EnrolDialog account={account} close={() => setEnrolling(false)} /> : null}
    </>
  );
}
