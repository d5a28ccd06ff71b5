import { type ReactNode, use } from 'react';
import { type NumberRules, readNumber } from '../lib/read-number.ts';
import { Field } from './field.tsx';
import { FormContext } from './form-context.ts';

/**
 * A field for a number: the typed text, and below it the number as read. Unreadable text is a fault
 * of the field; see readNumber.
 */
export function NumberField(props: {
  label: string;
  text: string;
  change: (text: string) => void;
  rules: NumberRules;
  /** The number in words, such as `1,000.00 USD`. */
  words: (value: number) => string;
  hint?: ReactNode;
  required?: boolean;
  /** Its parameter in the operation, whose faults are shown here. */
  parameter?: string;
  placeholder?: string;
}) {
  const reading = readNumber(props.text, props.rules);
  const doubt = reading.kind === 'number' ? props.rules.doubt?.(reading.value) : undefined;
  const { obstacle } = use(FormContext);
  const isMissed = props.required && reading.kind === 'empty' && obstacle !== undefined;
  const fault =
    reading.kind === 'unreadable'
      ? sentence(props.label, reading.fault)
      : isMissed
        ? `${props.label} is missing.`
        : undefined;
  return (
    <Field
      label={props.label}
      parameter={props.parameter}
      fault={fault}
      required={props.required ?? false}
      hint={
        reading.kind === 'number' ? (
          <>
            <span className="reading">Read as {props.words(reading.value)}</span>
            {doubt ? <strong className="doubt"> {doubt}</strong> : null}
          </>
        ) : (
          props.hint
        )
      }
    >
      {(control) => (
        <input
          {...control}
          inputMode="decimal"
          autoComplete="off"
          spellCheck={false}
          placeholder={props.placeholder}
          value={props.text}
          onChange={(event) => props.change(event.target.value)}
        />
      )}
    </Field>
  );
}

const sentence = (label: string, fault: string): string =>
  fault.startsWith('“') ? `${fault}.` : `${label} ${fault}.`;
