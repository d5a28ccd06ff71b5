import { useState } from 'react';
import type { AccountRecord } from '../../../../src/contract/operations/accounts.ts';
import type {
  EnrolmentDetailsRecord,
  EnrolmentRecord,
} from '../../../../src/contract/operations/enrolments.ts';
import { RULE_KINDS } from '../../../../src/words/programs.ts';
import { DownloadCase } from '../../cases/download-case.tsx';
import { FRESH_SECONDS, useAgeSeconds } from '../../components/age.tsx';
import { Badge } from '../../components/badge.tsx';
import { BrokerTime } from '../../components/broker-time.tsx';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { FormLoading } from '../../components/form-loading.tsx';
import { Shown } from '../../components/shown.tsx';
import { useConnection } from '../../lib/connection.ts';
import { formatLocalTime, formatMoney } from '../../lib/format.ts';
import { lazily } from '../../lib/lazily.tsx';
import { path } from '../../lib/path.ts';
import { ENROLMENT_STATES, stateOf } from '../../programs/program-words.ts';
import { Progress } from '../../programs/progress.tsx';
import { isOverDeals } from '../../programs/read-deal-rule.ts';
import { goesOn, useEnrolment } from '../../programs/use-enrolments.ts';
import { useMay } from '../../shell/use-may.ts';
import { EnrolmentChanges } from './enrolment-changes.tsx';
import { useStanding } from './use-account.ts';

const EnrolDialog = lazily(
  async () => (await import('./enrol-dialog.tsx')).EnrolDialog,
  FormLoading,
);

/** One enrolment: its state, the rest of each rule, the progress of each objective, its history. */
export function EnrolmentCard(props: {
  account: AccountRecord;
  enrolment: EnrolmentRecord;
  programName: string | undefined;
  isLinked: boolean;
}) {
  const { account, enrolment, programName = 'Program' } = props;
  const read = useEnrolment(account.id, enrolment.id);
  const { data } = read;
  const isOld = useIsOld(account.id);
  const limits = useStanding(account.id).data?.limits ?? [];
  const broken = limits.filter(({ exceeded }) => exceeded === 'drawdown');
  const may = useMay();
  const [isGoingOn, setGoingOn] = useState(false);
  const known = data ?? enrolment;
  const { state, isDisputed, programId, version, phase, phaseName } = known;
  const { title, tone } = stateOf(known);
  return (
    <Card
      className={props.isLinked ? 'tracker-linked' : ''}
      title={`${programName}: ${phaseName}`}
      hint={
        <>
          Phase {phase} of{' '}
          <a href={path.program(programId, { version: String(version) })}>version {version}</a>,
          initial balance {formatMoney(enrolment.initialBalance, account.currency)}, enrolled{' '}
          {formatLocalTime(enrolment.createdAt)} your time
        </>
      }
      actions={
        <>
          <Badge tone={tone}>{title}</Badge>
          {may.write && goesOn(known) ? (
            <EnrolmentChanges account={account} enrolment={known} />
          ) : null}
          {may.write && state === 'passed' ? (
            <Button size="small" kind="primary" onClick={() => setGoingOn(true)}>
              Enrol in the next phase
            </Button>
          ) : null}
        </>
      }
    >
      <Shown read={read} what="the enrolment" lines={4}>
        {(standing) => (
          <div className="stack">
            {isDisputed ? <Disputed isPaused={isPausedBy(standing)} /> : null}
            {goesOn(known) && isOld ? (
              <p className="muted">
                {standing.figures?.equity === undefined
                  ? 'No snapshot has come from the account yet.'
                  : 'No new data arrives from the account: these figures are old.'}
              </p>
            ) : null}
            <Progress
              standing={standing}
              phase={standing.rulebook}
              currency={account.currency}
              isOld={goesOn(known) && isOld}
              exceeded={new Set(broken.map(({ trackerId }) => trackerId))}
            />
            <History enrolment={standing} />
          </div>
        )}
      </Shown>
      {isGoingOn ? (
        <EnrolDialog account={account} passed={enrolment} close={() => setGoingOn(false)} />
      ) : null}
    </Card>
  );
}

/** Whether it failed by a rule over deals, which stops its judging. */
const isPausedBy = ({ transitions }: EnrolmentDetailsRecord): boolean => {
  const rule = transitions.findLast(({ state }) => state === 'failed')?.rule;
  return rule !== undefined && isOverDeals({ kind: rule });
};

const Disputed = ({ isPaused }: { isPaused: boolean }) => (
  <p className="note note-warn">
    By the deals known now it would not have ended.{' '}
    {isPaused
      ? 'It is paused until somebody reinstates it.'
      : 'It is judged on in the background, as below, until somebody reinstates it.'}
  </p>
);

const BEGINNING = {
  ahead:
    'Begins with the first snapshot or deal that follows, once the account has its initial balance',
  never: 'It had not begun',
};

/** As in the panel above: an old snapshot, none at all, or no answer. */
function useIsOld(accountId: string): boolean {
  const { data, dataUpdatedAt } = useStanding(accountId);
  const ageSeconds = useAgeSeconds(data?.ageSeconds ?? 0, dataUpdatedAt);
  const isUp = useConnection().state === 'up';
  return data !== undefined && (data.state !== 'live' || !isUp || ageSeconds > FRESH_SECONDS);
}

function History({ enrolment }: { enrolment: EnrolmentDetailsRecord }) {
  const { startBrokerTime, transitions } = enrolment;
  return (
    <div>
      <h3>History</h3>
      <ul className="history-list">
        <li>
          {startBrokerTime ? (
            <>
              Began <BrokerTime value={startBrokerTime} />
            </>
          ) : (
            BEGINNING[goesOn(enrolment) ? 'ahead' : 'never']
          )}
        </li>
        {transitions.map((each) => (
          <li key={`${each.brokerTime} ${each.state}`}>
            <Badge tone={ENROLMENT_STATES[each.state].tone}>
              {ENROLMENT_STATES[each.state].title}
            </Badge>
            <BrokerTime value={each.brokerTime} seconds />
            {each.rule ? <span>{RULE_KINDS[each.rule]}</span> : null}
            {each.sequenceNumber === undefined ? null : (
              <>
                <span className="hint">Event {each.sequenceNumber}</span>
                <DownloadCase sequenceNumber={each.sequenceNumber} size="small">
                  {`Download case file ${each.sequenceNumber}`}
                </DownloadCase>
              </>
            )}
            {each.cause === undefined ? null : (
              <a href={path.incident(each.cause)}>Case file of event {each.cause}</a>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}
