import { type HTMLInputAutoCompleteAttribute, type ReactNode, useId } from 'react';
import { Field } from './field.tsx';

/** A field for a text, as it is typed. */
export function TextField(props: {
  label: string;
  text: string;
  change: (text: string) => void;
  /** Its parameter in the operation, whose faults are told here. */
  parameter?: string;
  /** What its faults are said of, where the label reads badly. */
  subject?: string;
  /** What is wrong with the text before anybody is asked. */
  fault?: string | undefined;
  hint?: ReactNode;
  required?: boolean;
  className?: string;
  type?: 'text' | 'search' | 'email' | 'tel' | 'url' | 'password' | 'time' | 'datetime-local';
  inputMode?: 'numeric';
  /** Words of people, over so many lines. */
  lines?: number;
  maxLength?: number;
  placeholder?: string;
  autoComplete?: HTMLInputAutoCompleteAttribute;
  suggestions?: readonly string[];
}) {
  const listId = useId();
  const { suggestions, lines } = props;
  return (
    <Field
      label={props.label}
      parameter={props.parameter}
      subject={props.subject}
      fault={props.fault}
      hint={props.hint}
      required={props.required ?? false}
      className={props.className ?? ''}
    >
      {(control) => {
        const shared = {
          ...control,
          value: props.text,
          maxLength: props.maxLength,
          placeholder: props.placeholder,
          onChange: ({ target }: { target: { value: string } }) => props.change(target.value),
        };
        if (lines) return <textarea {...shared} rows={lines} />;
        return (
          <>
            <input
              {...shared}
              type={props.type ?? 'text'}
              inputMode={props.inputMode}
              autoComplete={props.autoComplete ?? 'off'}
              autoCapitalize="off"
              spellCheck={false}
              list={suggestions ? listId : undefined}
            />
            {suggestions ? (
              <datalist id={listId}>
                {suggestions.map((suggestion) => (
                  <option key={suggestion} value={suggestion} />
                ))}
              </datalist>
            ) : null}
          </>
        );
      }}
    </Field>
  );
}
