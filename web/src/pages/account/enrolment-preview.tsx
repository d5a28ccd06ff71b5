import type { EnrolmentPreviewRecord } from '../../../../src/contract/operations/enrolments.ts';
import type { ProgramPhaseRecord } from '../../../../src/contract/operations/programs.ts';
import { RULE_KINDS } from '../../../../src/words/programs.ts';
import { Badge } from '../../components/badge.tsx';
import { BrokerTime } from '../../components/broker-time.tsx';
import { ENROLMENT_STATES } from '../../programs/program-words.ts';
import { Progress } from '../../programs/progress.tsx';

/** What would have become of the account under a phase. */
export function EnrolmentPreview(props: {
  found: EnrolmentPreviewRecord;
  phase: ProgramPhaseRecord;
  currency: string;
}) {
  const { found, phase, currency } = props;
  const { startBrokerTime, endBrokerTime, brokerTime, state, rule } = found;
  if (!startBrokerTime || !endBrokerTime) {
    return <p className="muted">There is no stored history to try it on yet.</p>;
  }
  const { title, tone } = ENROLMENT_STATES[state];
  return (
    <div className="stack">
      <h3>Against the stored history</h3>
      <p>
        From <BrokerTime value={startBrokerTime} bare /> to <BrokerTime value={endBrokerTime} /> it
        would {brokerTime ? 'have ended as' : 'still be'} <Badge tone={tone}>{title}</Badge>
        {rule ? ` by ${RULE_KINDS[rule].toLowerCase()}` : ''}
        {brokerTime ? (
          <>
            {' '}
            at <BrokerTime value={brokerTime} bare />
          </>
        ) : null}
        .
      </p>
      <Progress standing={found} phase={phase} currency={currency} isOld={false} />
      <p className="hint">Times of the past are exact to the hour; 400 days back at most.</p>
    </div>
  );
}
