import { type ReactNode, useId } from 'react';
import { Button } from '../../components/button.tsx';
import { Field } from '../../components/field.tsx';
import { USUAL_ZONES } from '../../lib/zones.ts';
import { type LineForm, newLine, type PhaseForm } from '../../programs/program-form.ts';
import { OBJECTIVE_TITLES, RULE_TITLES } from '../../programs/program-words.ts';
import { NoProfitFields } from '../../rules/no-profit-fields.tsx';
import { LineFields } from './line-fields.tsx';

/** As many rules, and objectives, has a phase at most. */
const MOST_LINES = 12;

type Props = {
  phase: PhaseForm;
  place: number;
  error: unknown;
  change: (changes: Partial<PhaseForm>) => void;
  /** Absent for the only phase. */
  remove: (() => void) | undefined;
};

/** A phase of the form: its name, rules, objectives and days. */
export function PhaseFields({ phase, place, error, change, remove }: Props) {
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
      <Field label={`Name of phase ${place}`} required>
        {(control) => (
          <input
            {...control}
            value={phase.name}
            maxLength={200}
            placeholder="Such as Verification"
            onChange={({ target }) => change({ name: target.value })}
          />
        )}
      </Field>
      <Lines
        place={place}
        add="Add a rule"
        titles={RULE_TITLES}
        lines={phase.rules}
        error={error}
        set={(rules) => change({ rules })}
      />
      <Lines
        place={place}
        add="Add an objective"
        titles={OBJECTIVE_TITLES}
        lines={phase.objectives}
        error={error}
        set={(objectives) => change({ objectives })}
      />
      <DayFields phase={phase} change={change} />
      <details>
        <summary>What counts</summary>
        <NoProfitFields
          of={`in phase ${place}`}
          chosen={phase.adjustDeals}
          error={error}
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
  error: unknown;
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
            error={props.error}
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

function DayFields({ phase, change }: Pick<Props, 'phase' | 'change'>) {
  const listId = useId();
  return (
    <div className="fields">
      <Field label="Days end at" hint="Empty: midnight of the account’s clock">
        {(control) => (
          <input
            {...control}
            type="time"
            value={phase.resetTime}
            onChange={({ target }) => change({ resetTime: target.value })}
          />
        )}
      </Field>
      <Field label="In the zone" hint="Such as Europe/Prague">
        {(control) => (
          <input
            {...control}
            list={listId}
            autoComplete="off"
            spellCheck={false}
            value={phase.resetZone}
            onChange={({ target }) => change({ resetZone: target.value })}
          />
        )}
      </Field>
      <datalist id={listId}>
        {USUAL_ZONES.map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </div>
  );
}
