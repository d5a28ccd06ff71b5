import { type HTMLInputAutoCompleteAttribute, type ReactNode, useId } from 'react';
import { Field } from './field.tsx';

/** A field for a text. */
export function TextField(props: {
  label: string;
  text: string;
  change: (text: string) => void;
  /** Its parameter in the operation, whose faults are shown here. */
  parameter?: string;
  /** The name for its faults, if the label reads badly. */
  subject?: string;
  /** The text's fault, known without the server. */
  fault?: string | undefined;
  hint?: ReactNode;
  required?: boolean;
  className?: string;
  type?: 'text' | 'search' | 'email' | 'tel' | 'url' | 'password' | 'time' | 'datetime-local';
  inputMode?: 'numeric';
  /** Text of people, over this many lines. */
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
