import { isValidElement, type ReactElement, type ReactNode } from 'react';
import { Check } from './check.tsx';
import { ChoiceField } from './choice-field.tsx';
import type { AnyRow, BoxesRow, BoxRow, FieldTable, Section } from './field-table.ts';
import { useFault } from './form-context.ts';
import { NumberField } from './number-field.tsx';
import { TextField } from './text-field.tsx';

/** What was typed so far, and how it changes. */
export type Typed<F> = { form: F; change: (changes: Partial<F>) => void };

/** The fields of a table: labelled ones in a grid, all else below each other. */
export function Fields<F extends object>(props: Typed<F> & { table: FieldTable<NoInfer<F>> }) {
  return (
    <Parts
      form={props.form as Form}
      change={(changes) => props.change(changes as Partial<F>)}
      table={props.table as Table}
    />
  );
}

type Form = Readonly<Record<string, unknown>>;
type Table = Section<AnyRow>['fields'];
type Any = { form: Form; change: (changes: object) => void };

function Parts({ table, ...typed }: Any & { table: Table }): ReactNode {
  const parts: ReactNode[] = [];
  let grid: ReactNode[] = [];
  let gridStart = 0;
  const endGrid = (next: number): void => {
    if (grid.length > 0) {
      parts.push(
        <div key={`from ${gridStart}`} className="fields">
          {grid}
        </div>,
      );
    }
    grid = [];
    gridStart = next;
  };
  for (const [place, item] of table.entries()) {
    if (!item) continue;
    if (!isValidElement(item) && 'label' in item) {
      grid.push(<LabelledField key={item.name} {...typed} row={item} />);
    } else {
      endGrid(place + 1);
      parts.push(<Part key={place} {...typed} part={item} />);
    }
  }
  endGrid(table.length);
  return parts;
}

function LabelledField(props: Any & { row: Extract<AnyRow, { label: string }> }) {
  const { row, form, change } = props;
  const field = { parameter: row.name, ...row };
  const text = String(form[row.name]);
  if ('options' in field) {
    const { write = (value: string) => ({ [row.name]: value }), ...choice } = field;
    return <ChoiceField {...choice} value={text} choose={(value) => change(write(value))} />;
  }
  const set = (typed: string): void => change({ [row.name]: typed });
  if ('rules' in field) return <NumberField {...field} text={text} change={set} />;
  return <TextField {...field} text={text} change={set} />;
}

function Part(props: Any & { part: BoxRow | BoxesRow | Section<AnyRow> | ReactElement }) {
  const { part, form, change } = props;
  if (isValidElement(part)) return part;
  if ('box' in part) {
    return (
      <Check isOn={form[part.name] === true} set={(isOn) => change({ [part.name]: isOn })}>
        {part.box}
      </Check>
    );
  }
  if ('boxes' in part) return <Boxes form={form} change={change} row={part} />;
  const fields = <Parts form={form} change={change} table={part.fields} />;
  return 'summary' in part ? (
    <details className={part.className}>
      <summary>{part.summary}</summary>
      <div className="stack form-more">{fields}</div>
    </details>
  ) : (
    <fieldset className={part.className ?? 'form-part'} disabled={part.disabled}>
      <legend>{part.legend}</legend>
      {fields}
    </fieldset>
  );
}

function Boxes({ row, form, change }: Any & { row: BoxesRow }) {
  const { name, boxes } = row;
  const chosen = form[name] as readonly string[];
  const fault = useFault(name, 'This');
  const chosenWith = (value: string, isOn: boolean): string[] =>
    boxes
      .map((each) => each.value)
      .filter((each) => (each === value ? isOn : chosen.includes(each)));
  return (
    <fieldset className="form-part">
      <legend>{row.legend}</legend>
      {boxes.map(({ value, title }) => (
        <Check
          key={value}
          isOn={chosen.includes(value)}
          set={(isOn) => change({ [name]: chosenWith(value, isOn) })}
        >
          {title}
        </Check>
      ))}
      {fault ? <p className="field-error">{fault}</p> : null}
    </fieldset>
  );
}
