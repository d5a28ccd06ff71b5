import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { FormContext } from './form-context.ts';

/**
 * What is filled in and sent. Its fields find the server's objections by the names of their
 * parameters; its end is a FormEnd.
 */
export function Form(props: {
  /** Why it was refused, such as the error of a mutation. */
  error?: unknown;
  /** What keeps it from being sent: told when somebody tries. */
  obstacle?: string | undefined;
  /** A rejection is taken to be in `error`. */
  submit: () => unknown;
  className?: string;
  label?: string;
  children: ReactNode;
}) {
  const { obstacle } = props;
  const [tries, setTries] = useState(0);
  const form = useRef<HTMLFormElement>(null);
  const [parameters] = useState(() => new Set<string>());
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setTries(tries + 1);
    if (obstacle === undefined) await props.submit();
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when somebody tries, not as they type
  useEffect(() => {
    if (tries > 0 && obstacle !== undefined) focusOnFault(form.current);
  }, [tries]);
  return (
    <FormContext
      value={{ error: props.error, parameters, obstacle: tries > 0 ? obstacle : undefined }}
    >
      <form
        ref={form}
        className={props.className ?? 'form'}
        aria-label={props.label}
        noValidate
        onSubmit={(event) => void submit(event).catch(() => undefined)}
      >
        {props.children}
      </form>
    </FormContext>
  );
}

/** A field that needs another look may be out of sight or folded away, as on a phone. */
export function focusOnFault(form: HTMLFormElement | null | undefined): void {
  const field = form?.querySelector<HTMLElement>('[aria-invalid="true"]');
  const folded = field?.closest('details');
  if (folded) folded.open = true;
  field?.focus();
}
