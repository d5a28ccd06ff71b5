import { type ReactNode, useId } from 'react';
import { useFault } from './form-context.ts';

export type FieldControl = {
  id: string;
  required?: true;
  'aria-invalid'?: true;
  'aria-describedby'?: string;
};

/**
 * A labelled control with its hint and fault:
 * `<Field label="Volume">{(c) => <input {...c} />}</Field>`
 */
export function Field(props: {
  label: string;
  hint?: ReactNode;
  /** Its parameter in the operation, whose faults are shown here. */
  parameter?: string | undefined;
  /** The name for its faults, if the label reads badly. */
  subject?: string | undefined;
  /** Its fault, known without the server. */
  fault?: string | undefined;
  required?: boolean;
  className?: string;
  children: (control: FieldControl) => ReactNode;
}) {
  const id = useId();
  const objection = useFault(props.parameter, props.subject ?? props.label);
  const fault = props.fault ?? objection;
  const described = [props.hint ? `${id}-hint` : '', fault ? `${id}-error` : '']
    .filter(Boolean)
    .join(' ');
  return (
    <div className={`field ${props.className ?? ''}`}>
      <label htmlFor={id}>
        {props.label}
        {props.required ? <span className="required"> required</span> : null}
      </label>
      {props.children({
        id,
        ...(props.required ? { required: true } : {}),
        ...(fault ? { 'aria-invalid': true } : {}),
        ...(described ? { 'aria-describedby': described } : {}),
      })}
      {props.hint ? (
        <p className="hint" id={`${id}-hint`}>
          {props.hint}
        </p>
      ) : null}
      {fault ? (
        <p className="field-error" id={`${id}-error`}>
          {fault}
        </p>
      ) : null}
    </div>
  );
}
