import type { ProgramPhaseRecord } from '../../../src/contract/operations/programs.ts';
import { OBJECTIVE_KINDS, RULE_KINDS } from '../../../src/words/programs.ts';
import { planWords } from '../actions/action-words.ts';
import './programs.css';
import { daysWords, objectiveWords, payoutWords, ruleWords } from './program-words.ts';

/** A phase's rules and objectives in plain words. */
export function PhaseBook({ phase }: { phase: ProgramPhaseRecord }) {
  const { rules, objectives, payout } = phase;
  const ruleLines = rules.map((rule) => [RULE_KINDS[rule.kind], ruleWords(rule)] as const);
  const objectiveLines = objectives.map(
    (one) => [OBJECTIVE_KINDS[one.kind], objectiveWords(one)] as const,
  );
  return (
    <div className="stack phase-book">
      <Lines title="Must not happen" lines={ruleLines} none="No rule: it cannot fail." />
      <Lines
        title={payout ? 'Must be reached for a payout' : 'Must be reached'}
        lines={objectiveLines}
        none={payout ? 'No objective.' : 'No objective: it never passes.'}
      />
      {payout ? <p>{payoutWords(payout)}</p> : null}
      {phase.actions?.length ? <p>{planWords(phase.actions, 'When it is passed')}</p> : null}
      <p className="hint">{daysWords(phase)}</p>
    </div>
  );
}

function Lines(props: { title: string; lines: (readonly [string, string])[]; none: string }) {
  return (
    <div>
      <h3>{props.title}</h3>
      {props.lines.length === 0 ? <p className="muted">{props.none}</p> : null}
      <ul className="phase-lines">
        {props.lines.map(([title, words]) => (
          <li key={`${title} ${words}`}>
            <strong>{title}:</strong> {words}
          </li>
        ))}
      </ul>
    </div>
  );
}
