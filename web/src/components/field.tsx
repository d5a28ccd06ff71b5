import { type ReactNode, useId } from 'react';

export type FieldControl = {
  id: string;
  required?: true;
  'aria-invalid'?: true;
  'aria-describedby'?: string;
};

/** A labelled control with its hint and fault: `<Field label="Volume">{(c) => <input {...c} />}</Field>` */
export function Field(props: {
  label: ReactNode;
  hint?: ReactNode;
  error?: string | undefined;
  required?: boolean;
  className?: string;
  children: (control: FieldControl) => ReactNode;
}) {
  const id = useId();
  const described = [props.hint ? `${id}-hint` : '', props.error ? `${id}-error` : '']
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
        ...(props.error ? { 'aria-invalid': true } : {}),
        ...(described ? { 'aria-describedby': described } : {}),
      })}
      {props.hint ? (
        <p className="hint" id={`${id}-hint`}>
          {props.hint}
        </p>
      ) : null}
      {props.error ? (
        <p className="field-error" id={`${id}-error`}>
          {props.error}
        </p>
      ) : null}
    </div>
  );
}
