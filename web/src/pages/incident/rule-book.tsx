import type { IncidentRecord } from '../../../../src/contract/operations/incidents.ts';
import { RULE_KINDS } from '../../../../src/words/programs.ts';
import { Badge } from '../../components/badge.tsx';
import { Card } from '../../components/card.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { Loading } from '../../components/loading.tsx';
import { enrolmentOf } from '../../components/tracker-link.tsx';
import { path } from '../../lib/path.ts';
import { ruleWords, stateOf } from '../../programs/program-words.ts';
import { useEnrolment } from '../../programs/use-enrolments.ts';
import { useProgram } from '../../programs/use-programs.ts';

/** The enrolments whose rules were broken, and the programs that have these rules. */
export function RuleBooks({ incident }: { incident: IncidentRecord }) {
  const broken = incident.events.flatMap(({ trackerId }) => enrolmentOf(trackerId) ?? []);
  return [...new Set(broken)].map((enrolmentId) => (
    <RuleBook key={enrolmentId} incident={incident} enrolmentId={enrolmentId} />
  ));
}

function RuleBook(props: { incident: IncidentRecord; enrolmentId: string }) {
  const { enrolmentId } = props;
  const { accountId, accountName, currency, events } = props.incident;
  const { data: enrolment, error, refetch } = useEnrolment(accountId, enrolmentId);
  if (error && !enrolment) return <ErrorNote error={error} retry={refetch} />;
  if (!enrolment) return <Loading label="Loading the enrolment" lines={3} />;
  const { programId, version, phaseName, rulebook } = enrolment;
  const { title, tone } = stateOf(enrolment);
  const broken = enrolment.rulebook.rules.filter((_, place) =>
    events.some(({ trackerId }) => trackerId === `${enrolmentId}.rule-${place + 1}`),
  );
  return (
    <Card
      title={
        <>
          Rule of <ProgramLink id={programId} version={version} />
        </>
      }
      hint={`Version ${version}`}
    >
      <div className="stack">
        <p>
          <a href={path.account(accountId, { tab: 'enrolments', enrolment: enrolmentId })}>
            {accountName} in “{phaseName}”
          </a>{' '}
          <Badge tone={tone}>{title}</Badge>
          {enrolment.rule ? (
            <span className="hint"> by {RULE_KINDS[enrolment.rule].toLowerCase()}</span>
          ) : null}
        </p>
        {broken.map((rule) => (
          <p key={rulebook.rules.indexOf(rule)}>{ruleWords(rule, currency)}</p>
        ))}
      </div>
    </Card>
  );
}

function ProgramLink({ id, version }: { id: string; version: number }) {
  const { data } = useProgram(id, version);
  return <a href={path.program(id, { version: String(version) })}>{data?.name ?? 'a program'}</a>;
}
