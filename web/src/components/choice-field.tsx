import type { ReactNode } from 'react';
import { wordsOf } from '../../../src/words/words-of.ts';
import { Field } from './field.tsx';

export type Option<Value extends string> = { value: Value; title: string };

/** Options from the titles of values, in their order. */
export const optionsOf = <Value extends string>(
  titles: Readonly<Record<Value, string | { title: string }>>,
): Option<Value>[] =>
  wordsOf(titles).map((value) => {
    const of = titles[value];
    return { value, title: typeof of === 'string' ? of : of.title };
  });

/** A field for one of some values. */
export function ChoiceField<Value extends string>(props: {
  label: string;
  options: readonly Option<Value>[];
  value: Value;
  choose: (value: Value) => void;
  /** Its parameter in the operation, whose faults are shown here. */
  parameter?: string;
  hint?: ReactNode;
  disabled?: boolean;
}) {
  return (
    <Field label={props.label} parameter={props.parameter} hint={props.hint}>
      {(control) => (
        <select
          {...control}
          disabled={props.disabled}
          value={props.value}
          onChange={({ target }) => {
            const option = props.options.find(({ value }) => value === target.value);
            if (option) props.choose(option.value);
          }}
        >
          {props.options.map(({ value, title }) => (
            <option key={value} value={value}>
              {title}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
