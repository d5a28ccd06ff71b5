import type { ReactNode } from 'react';
import { OBJECTIVE_KINDS, RULE_KINDS } from '../../../../src/words/programs.ts';
import { Button } from '../../components/button.tsx';
import { TextField } from '../../components/text-field.tsx';
import { type LineForm, newLine, type PhaseForm } from '../../programs/program-form.ts';
import { DayEndFields } from '../../rules/day-end-fields.tsx';
import { NoProfitFields } from '../../rules/no-profit-fields.tsx';
import { LineFields } from './line-fields.tsx';

/** As many rules, and objectives, has a phase at most. */
const MOST_LINES = 12;

type Props = {
  phase: PhaseForm;
  place: number;
  change: (changes: Partial<PhaseForm>) => void;
  /** Absent for the only phase. */
  remove: (() => void) | undefined;
};

/** A phase of the form: its name, rules, objectives and days. */
export function PhaseFields({ phase, place, change, remove }: Props) {
  return (
    <fieldset className="program-phase">
      <legend className="visually-hidden">Phase {place}</legend>
      <div className="program-line-head">
        <h3>Phase {place}</h3>
        {remove ? (
          <Button size="small" kind="quiet" onClick={remove}>
            Remove phase {place}
          </Button>
        ) : null}
      </div>
      <TextField
        label={`Name of phase ${place}`}
        required
        placeholder="Such as Verification"
        maxLength={200}
        text={phase.name}
        change={(name) => change({ name })}
      />
      <Lines
        place={place}
        add="Add a rule"
        titles={RULE_KINDS}
        lines={phase.rules}
        set={(rules) => change({ rules })}
      />
      <Lines
        place={place}
        add="Add an objective"
        titles={OBJECTIVE_KINDS}
        lines={phase.objectives}
        set={(objectives) => change({ objectives })}
      />
      <div className="fields">
        <DayEndFields form={phase} change={change} />
      </div>
      <details>
        <summary>What counts</summary>
        <NoProfitFields
          of={`in phase ${place}`}
          chosen={phase.adjustDeals}
          choose={(adjustDeals) => change({ adjustDeals })}
        />
      </details>
    </fieldset>
  );
}

function Lines<Kind extends LineForm['kind']>(props: {
  place: number;
  add: string;
  titles: Record<Kind, string>;
  lines: LineForm[];
  set: (lines: LineForm[]) => void;
}): ReactNode {
  const { place, lines, set } = props;
  const titles: Partial<Record<LineForm['kind'], string>> = props.titles;
  const kinds = Object.entries<string>(props.titles) as [Kind, string][];
  return (
    <>
      {lines.map((line) => (
        <fieldset key={line.key} className="program-line">
          <legend className="visually-hidden">
            {titles[line.kind]} of phase {place}
          </legend>
          <div className="program-line-head">
            <strong aria-hidden="true">{titles[line.kind]}</strong>
            <Button
              size="small"
              kind="quiet"
              onClick={() => set(lines.filter(({ key }) => key !== line.key))}
            >
              Remove<span className="visually-hidden"> {titles[line.kind]}</span>
            </Button>
          </div>
          <LineFields
            line={line}
            change={(changes) =>
              set(lines.map((each) => (each.key === line.key ? { ...each, ...changes } : each)))
            }
          />
        </fieldset>
      ))}
      {lines.length < MOST_LINES ? (
        <div className="row">
          <span className="hint">{props.add}:</span>
          {kinds.map(([kind, title]) => (
            <Button key={kind} size="small" onClick={() => set([...lines, newLine(kind)])}>
              {title}
            </Button>
          ))}
        </div>
      ) : null}
    </>
  );
}
