import type { ReactElement } from 'react';
import { ADJUSTABLE_DEALS } from '../../../../src/words/deals.ts';
import { OBJECTIVE_KINDS, RULE_KINDS } from '../../../../src/words/programs.ts';
import { Button } from '../../components/button.tsx';
import { optionsOf } from '../../components/choice-field.tsx';
import { Fields, type Typed } from '../../components/fields.tsx';
import { type LineForm, newLine, type PhaseForm } from '../../programs/program-form.ts';
import { ActionFields } from '../../rules/action-fields.tsx';
import { DAY_END } from '../../rules/rule-fields.tsx';
import { LineFields } from './line-fields.tsx';
import { payoutFields } from './payout-fields.ts';

/** Most rules, and objectives, of a phase. */
const MOST_LINES = 12;

type Props = Typed<PhaseForm> & {
  place: number;
  /** Absent for the only phase. */
  remove: (() => void) | undefined;
};

/** A phase of the form: its name, rules, objectives and days. */
export function PhaseFields({ form: phase, place, change, remove }: Props) {
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
      <Fields
        form={phase}
        change={change}
        table={[
          {
            name: 'name',
            label: `Name of phase ${place}`,
            parameter: `phases.${place - 1}.name`,
            required: true,
            placeholder: 'Such as Verification',
            maxLength: 200,
          },
          <Lines
            key="rules"
            place={place}
            add="Add a rule"
            titles={RULE_KINDS}
            lines={phase.rules}
            isFunded={phase.isFunded}
            set={(rules) => change({ rules })}
          />,
          <Lines
            key="objectives"
            place={place}
            add="Add an objective"
            titles={OBJECTIVE_KINDS}
            lines={phase.objectives}
            isFunded={phase.isFunded}
            set={(objectives) => change({ objectives })}
          />,
          ...payoutFields(phase),
          !phase.isFunded && <ActionFields key="actions" form={phase} change={change} isPassing />,
          ...DAY_END,
          {
            summary: 'What counts',
            fields: [
              {
                name: 'adjustDeals',
                legend: (
                  <>
                    No profit or loss
                    <span className="visually-hidden"> in phase {place}</span>
                  </>
                ),
                boxes: optionsOf(ADJUSTABLE_DEALS),
              },
            ],
          },
        ]}
      />
    </fieldset>
  );
}

function Lines<Kind extends LineForm['kind']>(props: {
  place: number;
  add: string;
  titles: Record<Kind, string>;
  lines: LineForm[];
  isFunded: boolean;
  set: (lines: LineForm[]) => void;
}): ReactElement {
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
            form={line}
            isFunded={props.isFunded}
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
