import type { EnrolmentDetailsRecord } from '../../../src/contract/operations/enrolments.ts';
import type { ProgramPhaseRecord } from '../../../src/contract/operations/programs.ts';
import { OBJECTIVE_KINDS, RULE_KINDS } from '../../../src/words/programs.ts';
import { Badge } from '../components/badge.tsx';
import { Bar } from '../components/bar.tsx';
import { LoadLine } from '../components/load-line.tsx';
import { Money } from '../components/money.tsx';
import {
  countOf,
  formatDuration,
  formatLocalTime,
  formatMoney,
  formatNumber,
} from '../lib/format.ts';
import { useNow } from '../lib/now.ts';
import {
  consistencyWords,
  countsDays,
  objectiveAmount,
  objectiveWords,
  payoutWords,
  ruleWords,
  standingWords,
} from './program-words.ts';
import './programs.css';
import { Violations } from './violations.tsx';

type Rule = EnrolmentDetailsRecord['rules'][number];
type Objective = EnrolmentDetailsRecord['objectives'][number];

/**
 * The room of each rule, and the progress of each objective, as of the account's newest snapshot.
 */
export function Progress(props: {
  standing: Pick<
    EnrolmentDetailsRecord,
    'rules' | 'objectives' | 'payout' | 'figures' | 'violations'
  >;
  phase: ProgramPhaseRecord;
  currency: string;
  /** No new data of the account come in: its figures are grey. */
  isOld: boolean;
  /** Trackers whose limit was broken in the running period, even if the equity came back. */
  exceeded?: ReadonlySet<string>;
}) {
  const { standing, phase, currency } = props;
  return (
    <div className={`stack ${props.isOld ? 'progress-old' : ''}`}>
      {standing.rules.length > 0 ? (
        <div>
          <h3>Rules</h3>
          <ul className="progress-list">
            {standing.rules.map((rule, index) => (
              // A version never changes: a rule is identified by its place in the phase.
              // biome-ignore lint/suspicious/noArrayIndexKey: as above
              <li key={`${rule.kind} ${index}`}>
                <RuleLine
                  rule={rule}
                  currency={currency}
                  isExceeded={props.exceeded?.has(rule.trackerId ?? '') ?? false}
                />
                <span className="hint">{wordsOf(phase.rules[index], currency)}</span>
              </li>
            ))}
          </ul>
        </div>
      ) : null}
      <Violations violations={standing.violations ?? []} />
      {standing.objectives.length > 0 ? (
        <div>
          <h3>Objectives</h3>
          <ul className="progress-list">
            {standing.objectives.map((objective, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: as above
              <li key={`${objective.kind} ${index}`}>
                <ObjectiveLine objective={objective} currency={currency} />
                <span className="hint">{aimOf(phase.objectives[index], currency)}</span>
              </li>
            ))}
          </ul>
        </div>
      ) : null}
      {phase.payout ? (
        <div>
          <h3>Payouts</h3>
          {standing.payout ? <p>{standingWords(standing.payout, currency)}</p> : null}
          <PayoutsSoFar standing={standing} currency={currency} />
          <p className="hint">{payoutWords(phase.payout, currency)}</p>
        </div>
      ) : null}
    </div>
  );
}

function PayoutsSoFar(props: {
  standing: Pick<EnrolmentDetailsRecord, 'payout' | 'figures'>;
  currency: string;
}) {
  const { payout, figures } = props.standing;
  const { payouts = 0, paidOut = 0 } = figures ?? {};
  const from = payout?.hindrances.includes('days') ? payout.availableFrom : undefined;
  return (
    <p className="number">
      {payouts === 0
        ? 'No payout yet'
        : `${countOf(payouts, 'payout')} so far, ${formatMoney(paidOut, props.currency)} in all`}
      {from === undefined ? '' : `; the next from ${formatLocalTime(from)} your time on`}
    </p>
  );
}

const wordsOf = (rule: ProgramPhaseRecord['rules'][number] | undefined, currency: string) =>
  rule && ruleWords(rule, currency);
const aimOf = (one: ProgramPhaseRecord['objectives'][number] | undefined, currency: string) =>
  one && objectiveWords(one, currency);

function RuleLine(props: { rule: Rule; currency: string; isExceeded: boolean }) {
  const { rule, currency, isExceeded } = props;
  const { kind, used, room, floor, ends, breaches, failsAt } = rule;
  const title = RULE_KINDS[kind];
  const nowMs = useNow();
  const minutes = ends === undefined ? undefined : (Date.parse(ends) - nowMs) / 60_000;
  const isOver = room !== undefined && room < 0;
  return (
    <>
      <span className="row">
        <strong>{title}</strong>
        {isExceeded ? <Badge tone="bad">Exceeded</Badge> : null}
      </span>
      {used === undefined ? null : (
        <LoadLine used={used} exceeded={isOver || isExceeded} label={title} />
      )}
      {room === undefined ? null : (
        <span className="number">
          <Money value={Math.abs(room)} currency={currency} />{' '}
          {isOver ? 'beyond' : isExceeded ? 'now above' : 'above'} the floor
          {floor === undefined ? null : (
            <span className="hint nowrap"> {formatMoney(floor, currency)}</span>
          )}
        </span>
      )}
      {breaches === undefined ? null : (
        <span className="number">
          {failsAt === undefined
            ? `${formatNumber(breaches, 0)} ${breaches === 1 ? 'breach' : 'breaches'}`
            : `${breaches} of ${failsAt} breaches`}
        </span>
      )}
      {room === undefined && minutes === undefined && breaches === undefined ? (
        <span className="muted">Measured from the first snapshot on</span>
      ) : null}
      {minutes === undefined ? null : (
        <span className="hint number">
          {room === undefined ? 'broken' : 'the day ends'} in {formatDuration(Math.max(0, minutes))}
        </span>
      )}
    </>
  );
}

function ObjectiveLine({ objective, currency }: { objective: Objective; currency: string }) {
  const { kind, met, value, needed } = objective;
  const title = OBJECTIVE_KINDS[kind];
  const show = (amount: number): string => objectiveAmount(kind, amount, currency);
  const part = value === undefined || needed <= 0 ? 0 : value / needed;
  return (
    <>
      <span className="row">
        <strong>{title}</strong>
        <Badge tone={met ? 'good' : 'plain'}>{met ? 'Met' : 'Not yet'}</Badge>
      </span>
      {kind === 'consistency' ? (
        <span className="number">{consistencyWords(value, needed, currency)}</span>
      ) : (
        <>
          <Bar
            used={met ? 1.0001 : Math.max(0, part)}
            kind="target"
            label={`${title}: reached part`}
            text={null}
          />
          <span className="number">
            {value === undefined ? '–' : show(value)} of {show(needed)}
            {countsDays(kind) ? ' days' : ''}
          </span>
        </>
      )}
    </>
  );
}
